"""What Meta tells, kept for some minutes; the cache is optional."""

import logging
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# Meta takes seconds to list some hundred templates, and they change a few times a week.
LIFETIME = timedelta(minutes=10)


def kept(key: str) -> Any:
    """Return what is kept under a key, None for nothing or an empty key."""
    try:
        return cache.get(key) if key else None
    except RedisError:
        return None


def keep(key: str, told: Any) -> None:
    """Keep it for ten minutes, unless the key is empty."""
    try:
        if key:
            cache.set(key, told, LIFETIME.total_seconds())
    except RedisError:
        logger.warning("An answer of Meta could not be kept")
