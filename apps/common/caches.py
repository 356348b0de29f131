"""Django's Redis cache with a client that does not wait for a hanging server."""

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from apps.common.silence import CLIENT_OPTIONS, Client


class _CacheClient(RedisCacheClient):
    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **CLIENT_OPTIONS, **options)
        self._client = Client


class ImpatientRedisCache(RedisCache):
    """RedisCache whose calls take no longer than one time-out."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _CacheClient
