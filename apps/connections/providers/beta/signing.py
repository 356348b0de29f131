"""How gateway and server sign what they tell each other (docs/gateway.md §1). Pure."""

import hashlib
import hmac
import time
import uuid

STREAM = b"STREAM"
PREFIX = "sha256="
WINDOW_SECONDS = 60


def signature(
    secret: str, *, method: str, target: str, at: str, call_id: str, body: bytes | None
) -> str:
    """Return the signature of a call; `body` None for one that is streamed.

    `target` is path and query as the request line has them.
    """
    digest = STREAM.decode() if body is None else hashlib.sha256(body).hexdigest()
    text = "\n".join((method, target, at, call_id, digest))
    return PREFIX + hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def signed_headers(secret: str, *, method: str, target: str, body: bytes | None) -> dict[str, str]:
    """Return the headers of a call that is made now."""
    at, call_id = str(int(time.time())), str(uuid.uuid4())
    return {
        "X-Gateway-Time": at,
        "X-Gateway-Id": call_id,
        "X-Gateway-Signature": signature(
            secret, method=method, target=target, at=at, call_id=call_id, body=body
        ),
    }


def is_signed(
    secret: str,
    *,
    method: str,
    target: str,
    body: bytes,
    at: str,
    call_id: str,
    given: str,
) -> bool:
    """Tell, in constant time, whether a call is signed with our secret and not out of its time."""
    if not secret or not at.isascii() or not at.isdigit() or not 8 <= len(call_id) <= 100:
        return False
    wanted = signature(secret, method=method, target=target, at=at, call_id=call_id, body=body)
    is_right = hmac.compare_digest(wanted.encode(), given.encode())
    return is_right and abs(time.time() - int(at)) <= WINDOW_SECONDS
