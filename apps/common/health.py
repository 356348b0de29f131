"""Whether this process lives, and whether the installation can work."""

import logging
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from redis.exceptions import RedisError

from apps.common.media_folder import has_room, require_writable

logger = logging.getLogger(__name__)

_WORKER_SEEN_KEYS = {queue: f"worker-seen-at:{queue}" for queue in settings.WORK_QUEUES}
REPORT_SECONDS = 15
# After four missed reports in a row no worker is considered alive.
WORKER_MISSED_SECONDS = 60
_leaving = threading.Event()


def live(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the process serves; a restart would not mend anything else."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when database, Redis, a worker of each queue and room for media are there.

    Otherwise, and while this process ends, 503, with false at what is not.
    """
    checks = {name: _passes(name, check) for name, check in _CHECKS.items()}
    is_ready = all(checks.values())
    return JsonResponse(
        {"status": "ok" if is_ready else "unavailable", **checks}, status=200 if is_ready else 503
    )


def note_leaving() -> None:
    """Note that this process ends, and is to get no more requests."""
    _leaving.set()


def record_worker_alive(queue: str) -> None:
    """Note that a worker of the queue runs; called by the periodic task."""
    cache.set(_WORKER_SEEN_KEYS[queue], time.time(), timeout=WORKER_MISSED_SECONDS)


def _passes(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except (DatabaseError, RedisError, OSError):
        logger.warning("Not ready: %s does not work", name)
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _redis_answers() -> bool:
    cache.get_many(_WORKER_SEEN_KEYS.values())
    return True


def _workers_report() -> bool:
    return len(cache.get_many(_WORKER_SEEN_KEYS.values())) == len(_WORKER_SEEN_KEYS)


def _media_can_be_stored() -> bool:
    require_writable()
    return has_room()


def _stays() -> bool:
    return not _leaving.is_set()


_CHECKS: dict[str, Callable[[], bool]] = {
    "process": _stays,
    "database": _database_answers,
    "redis": _redis_answers,
    "worker": _workers_report,
    "media": _media_can_be_stored,
}
