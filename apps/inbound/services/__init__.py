"""Storing what providers report, and working through it."""

from apps.inbound.services.processing import process_due, retry_failed
from apps.inbound.services.purging import purge_finished
from apps.inbound.services.storing import store_notices

__all__ = ["process_due", "purge_finished", "retry_failed", "store_notices"]
