"""The database connections that a thread keeps from one piece of work to the next."""

import select
from typing import Any

from django.db import InterfaceError, OperationalError, close_old_connections, connections

# PostgreSQL's classes and codes of a connection that failed or is being ended (its appendix A);
# a connection that never came or broke without a word has none.
CONNECTION_EXCEPTION, SHUTDOWNS = "08", {"57P01", "57P02", "57P03"}


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


def is_away(error: BaseException | None) -> bool:
    """Tell whether a statement failed because the database can't be reached just now."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause: Any = error.__cause__
    if not hasattr(cause, "sqlstate"):
        return False
    code = cause.sqlstate
    return code is None or code.startswith(CONNECTION_EXCEPTION) or code in SHUTDOWNS
