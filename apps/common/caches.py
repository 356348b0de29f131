"""Django's Redis cache, which does not wait for a hanging server."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache

from apps.common.silence import CLIENT_OPTIONS, patiently

OPERATIONS = (
    *("add", "get", "set", "touch", "delete", "get_many", "has_key", "incr"),
    *("set_many", "delete_many", "clear"),
)


class ImpatientRedisCache(RedisCache):
    """RedisCache whose calls take no longer than one time-out."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": CLIENT_OPTIONS})


def _impatient(operation: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(operation)
    def operate(*args: Any, **options: Any) -> Any:
        with patiently():
            return operation(*args, **options)

    return operate


for _name in OPERATIONS:
    setattr(ImpatientRedisCache, _name, _impatient(getattr(RedisCache, _name)))
