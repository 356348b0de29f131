"""The limit on documents that one contact looks up (rules/automation §3, `asaas`)."""

import hashlib
import logging
from collections.abc import Callable

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

DOCUMENTS_A_DAY = 5
DAY_SECONDS = 24 * 60 * 60


def lookups_of(company_id: int, contact_uuid: str) -> Callable[[str], bool]:
    """Return a function that tells whether this contact may look up a document.

    Anyone can type anyone's document. So a contact may look up only DOCUMENTS_A_DAY different
    documents a day, over all its conversations. The same document is counted once. While the cache
    is down only the limit of the conversation applies.
    """
    key = f"asaas:{company_id}:{contact_uuid}"

    def may_look_up(document: str) -> bool:
        mark = hashlib.sha256(document.encode()).hexdigest()[:16]
        try:
            marks: list[str] = cache.get(key) or []
            if mark in marks:
                return True
            if len(marks) >= DOCUMENTS_A_DAY:
                return False
            cache.set(key, [*marks, mark], DAY_SECONDS)
        except (RedisError, OSError):
            logger.warning("No cache to count look-ups of documents in")
        return True

    return may_look_up
