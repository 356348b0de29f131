"""Authenticates gateways: the signature, and protection against replays (docs/gateway.md §1)."""

import logging
import re

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from apps.common.errors import DomainError
from apps.connections.providers.beta.signing import (
    WINDOW_SECONDS,
    digest_of,
    is_in_time,
    is_signed,
)

logger = logging.getLogger(__name__)

SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}")


class WrongSignature(DomainError):
    """The call is not signed with our secret, is too old or is a replay."""

    status = 401
    code = "ERR_GATEWAY_SIGNATURE"
    message = "A assinatura da chamada não confere."


def require_signature(
    *, method: str, target: str, body: bytes, at: str, call_id: str, signature: str
) -> None:
    """Refuse a call that is not a gateway's; raises WrongSignature."""
    if not is_signed(
        settings.GATEWAY_SECRET,
        method=method,
        target=target,
        digest=digest_of(body),
        at=at,
        call_id=call_id,
        given=signature,
    ):
        raise WrongSignature
    try:
        is_first = cache.add(f"gateway-call:{call_id}", 1, timeout=2 * WINDOW_SECONDS)
    # without Redis replays are not detected; every call is idempotent
    except (RedisError, OSError) as error:
        logger.warning("Calls of gateways are not told apart while Redis is away: %r", error)
        return
    if not is_first:
        raise WrongSignature


def judge_head(
    *, method: str, target: str, digest: str, at: str, call_id: str, signature: str
) -> bool:
    """Tell from a call's headers whether it comes from a gateway; raises WrongSignature.

    False for a gateway without `X-Gateway-Body`, whose signature cannot be checked without the
    body. The body's digest is checked with the body.
    """
    if digest:
        is_right = is_signed(
            settings.GATEWAY_SECRET,
            method=method,
            target=target,
            digest=digest,
            at=at,
            call_id=call_id,
            given=signature,
        )
    else:
        is_shaped = SIGNATURE.fullmatch(signature) is not None
        is_right = bool(settings.GATEWAY_SECRET) and is_shaped and is_in_time(at, call_id)
    if not is_right:
        raise WrongSignature
    return bool(digest)
