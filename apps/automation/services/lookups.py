"""How many documents one contact may have looked up (rules/automation §3, `asaas`)."""

import hashlib
import logging
from collections.abc import Callable

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

DOCUMENTS_A_DAY = 5
DAY_SECONDS = 24 * 60 * 60


def lookups_of(company_id: int, contact_uuid: str) -> Callable[[str], bool]:
    """Return what tells whether this contact may still ask for a document's charges.

    Anyone can type anyone's document, so a contact gets few different ones a day, over all of its
    conversations; the same one again is not counted. Without the cache only the conversation's own
    bound holds.
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
