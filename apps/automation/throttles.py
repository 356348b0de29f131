"""Rate limits for tests and repeated calls of prompts and integrations."""

import logging
from typing import Any

from redis.exceptions import RedisError
from rest_framework.throttling import UserRateThrottle

logger = logging.getLogger(__name__)


class PromptTestThrottle(UserRateThrottle):
    """20 tests of prompts a minute per user; unlimited while the cache is down."""

    scope = "prompt-test"
    rate = "20/min"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Count each service token by itself; all of them have the user id 0."""
        token_id = getattr(request.user, "token_id", None)
        if token_id is None:
            return super().get_cache_key(request, view)
        return self.cache_format % {"scope": self.scope, "ident": f"token-{token_id}"}

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count the request and tell whether it is allowed."""
        try:
            return bool(super().allow_request(request, view))
        except (RedisError, OSError):
            logger.warning("No cache to count tests in")
            return True


class RepeatCallThrottle(PromptTestThrottle):
    """10 repeated calls a minute per user; unlimited while the cache is down."""

    scope = "repeated_calls"
    rate = "10/min"


class TestSessionThrottle(PromptTestThrottle):
    """20 tests of integrations a minute per user; unlimited while the cache is down."""

    scope = "integration-test"
