"""Signatures of calls between gateway and server (docs/gateway.md §1). Pure."""

import hashlib
import hmac
import time
import uuid

STREAM = "STREAM"
PREFIX = "sha256="
WINDOW_SECONDS = 60


def digest_of(body: bytes | None) -> str:
    """Return the digest of a body that is signed; None is a streamed body."""
    return STREAM if body is None else hashlib.sha256(body).hexdigest()


def signature(secret: str, *, method: str, target: str, at: str, call_id: str, digest: str) -> str:
    """Return the signature of a call. `target` is path and query as in the request line."""
    text = "\n".join((method, target, at, call_id, digest))
    return PREFIX + hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def signed_headers(secret: str, *, method: str, target: str, body: bytes | None) -> dict[str, str]:
    """Return the headers of a call that is made now."""
    at, call_id, digest = str(int(time.time())), str(uuid.uuid4()), digest_of(body)
    return {
        "X-Gateway-Time": at,
        "X-Gateway-Id": call_id,
        "X-Gateway-Body": digest,
        "X-Gateway-Signature": signature(
            secret, method=method, target=target, at=at, call_id=call_id, digest=digest
        ),
    }


def is_in_time(at: str, call_id: str) -> bool:
    """Tell whether a call has an id and a recent time."""
    is_whole = at.isascii() and at.isdigit() and len(at) <= 20 and 8 <= len(call_id) <= 100
    return is_whole and abs(time.time() - int(at)) <= WINDOW_SECONDS


def is_signed(
    secret: str, *, method: str, target: str, digest: str, at: str, call_id: str, given: str
) -> bool:
    """Tell, in constant time, whether a call is signed with our secret and recent."""
    if not secret or not is_in_time(at, call_id):
        return False
    wanted = signature(secret, method=method, target=target, at=at, call_id=call_id, digest=digest)
    return hmac.compare_digest(wanted.encode(), given.encode())
