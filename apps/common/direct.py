"""The way to PostgreSQL itself, where DATABASE_URL leads to a pooler of transactions.

Sessions behind such a pooler are shared: what pg_dump and psql set for theirs, such as an empty
search path, would stay for whoever is given that session next, and an open connection tells
nothing about who runs.
"""

from functools import cache
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler


def has_own_sessions() -> bool:
    """Tell whether `direct_connection` leads to sessions that are nobody else's."""
    return not settings.DATABASE_POOLED or settings.DATABASE_DIRECT is not None


def direct_connection() -> BaseDatabaseWrapper:
    """Return this thread's connection past the pooler; without a pooler Django's own."""
    if settings.DATABASE_DIRECT is None:
        own: BaseDatabaseWrapper = connections[DEFAULT_DB_ALIAS]
        return own
    past_the_pooler: BaseDatabaseWrapper = _handler()[DEFAULT_DB_ALIAS]
    return past_the_pooler


@cache
def _handler() -> Any:
    return ConnectionHandler({DEFAULT_DB_ALIAS: settings.DATABASE_DIRECT})
