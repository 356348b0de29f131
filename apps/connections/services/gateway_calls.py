"""Who calls from a gateway: the signature, and that no call is made twice (docs/gateway.md §1)."""

import logging

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from apps.common.errors import DomainError
from apps.connections.providers.beta.signing import WINDOW_SECONDS, is_signed

logger = logging.getLogger(__name__)


class WrongSignature(DomainError):
    """The call is not signed with our secret, is out of its time or was made before."""

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
        body=body,
        at=at,
        call_id=call_id,
        given=signature,
    ):
        raise WrongSignature
    try:
        is_first = cache.add(f"gateway-call:{call_id}", 1, timeout=2 * WINDOW_SECONDS)
    except (RedisError, OSError) as error:  # every call may be made twice
        logger.warning("Calls of gateways are not told apart while Redis is away: %r", error)
        return
    if not is_first:
        raise WrongSignature
