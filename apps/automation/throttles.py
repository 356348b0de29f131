"""How often a model or an integration may be tried from the browser."""

import logging
from typing import Any

from redis.exceptions import RedisError
from rest_framework.throttling import UserRateThrottle

logger = logging.getLogger(__name__)


class PromptTestThrottle(UserRateThrottle):
    """20 trials a minute and user; without the cache nobody is held back."""

    scope = "prompt-test"
    rate = "20/min"

    def allow_request(self, request: Any, view: Any) -> bool:
        """Tell whether another trial is allowed, and count it."""
        try:
            return bool(super().allow_request(request, view))
        except (RedisError, OSError):
            logger.warning("No cache to count trials in")
            return True


class RepeatCallThrottle(PromptTestThrottle):
    """10 repeated calls a minute and user; without the cache nobody is held back."""

    scope = "repeated_calls"
    rate = "10/min"


class TestSessionThrottle(PromptTestThrottle):
    """20 trials of integrations a minute and user."""

    scope = "integration-test"
