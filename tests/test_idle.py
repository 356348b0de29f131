"""Without traffic a worker opens nothing: no connection, no TLS, and it starts no task for rows."""

import ssl
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from celery import Celery, current_app, signals
from celery.app.trace import build_tracer
from celery.fixups.django import DjangoWorkerFixup
from django.conf import settings
from django.db import connection, connections
from django.db.backends.signals import connection_created
from django.test.utils import CaptureQueriesContext

from apps.common.leases import leased_models
from apps.common.sweeps import sweep
from config.celery import app as celery_app
from config.celery import begin_connected

pytestmark = pytest.mark.django_db(transaction=True)

CYCLES = 5
# What a cycle may ask of the database: one question of the sweep, and what the timed tasks read.
MOST_QUERIES = 21

Timed = list[tuple[str, Sequence[str]]]


@pytest.fixture
def as_worker() -> Iterator[None]:
    """Have tasks begin and end as in a worker: Celery would close their connection."""
    current_app.loader.import_default_modules()
    fixup = DjangoWorkerFixup(celery_app)
    fixup.install()
    yield
    signals.beat_embedded_init.disconnect(fixup.close_database)
    signals.task_prerun.disconnect(fixup.on_task_prerun)
    signals.task_postrun.disconnect(fixup.on_task_postrun)
    signals.worker_process_init.disconnect(fixup.on_worker_process_init)


def run_task(name: str, *arguments: str) -> None:
    trace = build_tracer(name, current_app.tasks[name], app=current_app, eager=False)
    key = str(uuid.uuid4())
    request = {"id": key, "is_eager": False, "delivery_info": {}}
    assert trace(key, arguments, {}, request).info is None


def in_thread(work: Callable[[], None]) -> None:
    faults: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]


@pytest.fixture
def timed() -> Timed:
    """Tasks of beat, each with its arguments."""
    entries = settings.CELERY_BEAT_SCHEDULE.values()
    return sorted((entry["task"], entry.get("args", ())) for entry in entries)


def test_idle_cycles_open_no_connection_and_make_no_tls(as_worker: None, timed: Timed) -> None:
    """One thread of a worker: a sweep, each task that beat sends, each that a sweep may wake."""
    rows = sorted(model.wakes for model in leased_models())
    opened: list[object] = []

    def note(**kwargs: object) -> None:
        opened.append(kwargs)

    def cycle() -> None:
        assert sweep() == []
        for name, arguments in (*timed, *((name, ()) for name in rows)):
            run_task(name, *arguments)

    def work() -> None:
        cycle()
        connection_created.connect(note)
        try:
            with mock.patch.object(ssl, "create_default_context") as tls:
                for _ in range(CYCLES):
                    cycle()
        finally:
            connection_created.disconnect(note)
        assert (len(opened), tls.call_count) == (0, 0)

    in_thread(work)


def test_an_idle_cycle_asks_little_and_sends_nothing(as_worker: None, timed: Timed) -> None:
    def work() -> None:
        with (
            mock.patch.object(Celery, "send_task") as sent,
            CaptureQueriesContext(connection) as queries,
        ):
            sweep()
            for name, arguments in timed:
                run_task(name, *arguments)
        assert sent.call_count == 0
        assert len(queries) <= MOST_QUERIES, [each["sql"] for each in queries]

    in_thread(work)


@contextmanager
def broken(used: Any) -> Iterator[None]:
    """End a connection as a server does; SQLite has none, so there it only says so."""
    if used.vendor != "postgresql":
        with mock.patch.object(used, "is_usable", return_value=False):
            yield
        return
    other = used.copy()
    with used.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])  # and wait for its end
        assert cursor.fetchone() == (True,)
    other.close()
    yield


@pytest.mark.own_sessions
def test_a_task_closes_its_connection_only_when_it_is_broken(as_worker: None) -> None:
    def work() -> None:
        connection.ensure_connection()
        used = connections["default"]
        with mock.patch.object(used, "close", wraps=used.close) as close:
            run_task("tickets.deliver")
            assert close.call_count == 0
            with broken(used):
                begin_connected()
            assert close.call_count == 1
            run_task("tickets.deliver")
            assert close.call_count == 1

    in_thread(work)


def test_beat_sends_nothing_more_often_than_rows_need() -> None:
    """Tables of work are swept in one statement; a task each would be the load of an idle house."""
    swept = {model.wakes for model in leased_models()}
    timed: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    assert not swept & {entry["task"] for entry in timed.values()}
    seconds = [
        entry["schedule"] for entry in timed.values() if isinstance(entry["schedule"], float)
    ]
    assert min(seconds) >= 15
