"""That a process serves or works, so that `manage.py restore` refuses meanwhile.

By a lock on DATA_DIR, which containers share; and for processes on other machines, which may share
the database alone, by a connection that stays open while nobody asks for anything. Workers have
one by their heartbeat.
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

from apps.common.installation_lock import AlreadyRuns, share

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = 5.0
_locks: list[IO[str]] = []


def take_part() -> None:
    """Hold the lock of who serves until the process ends; raises ImproperlyConfigured."""
    try:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        _locks.append(share(settings.DATA_DIR))
    except AlreadyRuns:
        raise ImproperlyConfigured(
            f"A restore works on {settings.DATA_DIR}. Start this once it has ended."
        ) from None
    except OSError as error:  # then no restore can be given here either
        logger.warning("Nothing can be kept in %s: %s", settings.DATA_DIR, error.strerror)


def stay_connected() -> None:
    """Keep a connection of its own open, where the database can tell who has one.

    A pooler lends its connections to whoever asks, and SQLite is looked at by its file's locks.
    """
    is_pooled = connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]
    if connection.vendor == "postgresql" and not is_pooled:
        threading.Thread(target=_stay, name="presence", daemon=True).start()


def _stay() -> None:
    while True:
        with suppress(DatabaseError, OSError):
            connection.ensure_connection()
            ended = select.poll()
            ended.register(connection.connection.fileno(), select.POLLIN)
            ended.poll()  # the server says nothing until it ends, or ends this
        connection.close()
        time.sleep(RECONNECT_SECONDS)
