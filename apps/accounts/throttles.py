"""Failed logins are counted per address and per e-mail (rules/accounts §5)."""

import logging
import time
from typing import Any

from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from apps.common.callers import client_address

logger = logging.getLogger(__name__)
WINDOW_SECONDS = 5 * 60


def submitted_email(request: Request | HttpRequest) -> str:
    """Return the e-mail of a login by API, or of the Django admin's form; empty without one."""
    data: Any = request.data if isinstance(request, Request) else request.POST
    name = "email" if isinstance(request, Request) else "username"
    email = data.get(name) if hasattr(data, "get") else None
    return email.strip().lower()[:254] if isinstance(email, str) else ""


class FailedLoginThrottle(SimpleRateThrottle):
    """Count failures alone, so that an office behind one address may sign in all at once.

    Without the cache nobody is held back, and nobody is locked out.
    """

    rate = "-"

    def parse_rate(self, rate: str | None) -> tuple[int, int]:
        """Return how many failures a window takes, and its seconds."""
        return self.failures, WINDOW_SECONDS

    failures = 0

    def allow_request(self, request: Any, view: Any) -> bool:
        """Tell whether another try is allowed; a try alone does not count."""
        try:
            return bool(super().allow_request(request, view))
        except (RedisError, OSError):
            logger.warning("No cache to count failed logins in")
            return True

    def throttle_success(self) -> bool:
        """Let the try through, uncounted."""
        return True

    def count_failure(self, request: Request | HttpRequest) -> None:
        """Remember one failure."""
        key = self.get_cache_key(request, None)  # type: ignore[arg-type]
        if not key:
            return
        now = time.time()
        try:
            recent = [at for at in self.cache.get(key, []) if at > now - WINDOW_SECONDS]
            self.cache.set(key, [now, *recent], WINDOW_SECONDS)
        except (RedisError, OSError):
            logger.warning("No cache to count failed logins in")


class AddressThrottle(FailedLoginThrottle):
    """50 failures in 5 minutes from one address."""

    failures = 50

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return the address's key."""
        address = client_address(request)
        return f"login-address:{address}" if address else None


class EmailThrottle(FailedLoginThrottle):
    """10 failures in 5 minutes for one e-mail, whether or not it has an account."""

    failures = 10

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return the e-mail's key."""
        email = submitted_email(request)
        return f"login-email:{email.encode().hex()}" if email else None


LOGIN_THROTTLES = (AddressThrottle, EmailThrottle)


def count_failed_login(request: Request | HttpRequest) -> None:
    """Count a failure for the address and for the e-mail."""
    for throttle in LOGIN_THROTTLES:
        throttle().count_failure(request)
