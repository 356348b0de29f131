"""Shows that a process serves or works, so that `manage.py restore` refuses meanwhile.

A lock on DATA_DIR covers processes that share the folder. Processes on other machines may share
only the database: they keep an idle connection open, or one that beats (`apps.common.heartbeat`).
"""

import logging
import select
import threading
import time
from contextlib import suppress
from typing import IO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from apps.common.direct import direct_connection, has_own_sessions
from apps.common.installation_lock import AlreadyRuns, share

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = 5.0
_locks: list[IO[str]] = []


def take_part() -> None:
    """Hold the shared lock until the process ends; raises ImproperlyConfigured."""
    try:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        _locks.append(share(settings.DATA_DIR))
    except AlreadyRuns:
        raise ImproperlyConfigured(
            f"A restore works on {settings.DATA_DIR}. Start this once it has ended."
        ) from None
    except OSError as error:  # then no restore can run on this folder either
        logger.warning("Nothing can be kept in %s: %s", settings.DATA_DIR, error.strerror)


def stay_connected() -> None:
    """Keep an idle connection open if the database can show it.

    For SQLite the file's locks are checked.
    """
    if connection.vendor == "postgresql" and has_own_sessions():
        threading.Thread(target=_stay, name="presence", daemon=True).start()


def _stay() -> None:
    connection = direct_connection()
    while True:
        with suppress(DatabaseError, OSError):
            connection.ensure_connection()
            ended = select.poll()
            ended.register(connection.connection.fileno(), select.POLLIN)
            ended.poll()  # the server sends nothing until it closes the connection
        connection.close()
        time.sleep(RECONNECT_SECONDS)
