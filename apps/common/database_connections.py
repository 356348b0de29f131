"""The database connections that a thread keeps from one piece of work to the next."""

import select
from typing import Any

from django.db import close_old_connections, connections


def renew_connections() -> None:
    """Close the thread's connections that are old or that the server has ended since.

    Call it before a piece of work. Without it the first statement after a restart of PostgreSQL
    fails on each connection.
    """
    close_old_connections()
    close_ended_connections()


def close_ended_connections(**kwargs: Any) -> None:
    """Close the thread's connections that the server has ended; a receiver of signals."""
    for connection in connections.all(initialized_only=True):
        is_open = connection.connection is not None and not connection.in_atomic_block
        if is_open and _is_spoken_to(connection) and not connection.is_usable():
            connection.close()


def _is_spoken_to(connection: Any) -> bool:
    """Tell whether a database says something unasked, as one does that ends a connection.

    Asking each time would be a statement for each piece of work.
    """
    if connection.vendor != "postgresql" or connection.connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
