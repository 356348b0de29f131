"""How soon work goes on: ten seconds after a worker's death or the database's return, at most.

With the real leases, of one minute to ten: nothing here waits for one to run out.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection as database
from django.db.models import F
from django.db.models.functions import Now

from apps.common.heartbeat import DEAD_SECONDS
from apps.common.leases import LeaseState
from apps.common.media import store_media
from apps.common.models import Heartbeat
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import store_notices
from apps.realtime.backplane import SERVERS
from apps.realtime.server import CATCH_UP_SPREAD_SECONDS
from apps.realtime.tests.test_emit import Listener
from apps.tickets.models import Ack, Delivery, MediaFetch, MediaState, Message, Ticket
from tests.factories import make_message, make_ticket
from tests.graph import GraphServer
from tests.product import ROOT, children_of
from tests.services import RedisServer, free_port
from tests.test_crash import (
    Meta,
    Run,
    all_sent,
    database_url,
    graph,
    notification,
    queue_up,
    run_worker,
    store_messages,
    tickets,
    wait_for,
    wait_until_waited_for,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone,
]
__all__ = ["graph", "run_worker", "tickets"]

GOES_ON_SECONDS = 10.0
SHORT_LIMIT_SECONDS = 2.0


def has_workers(count: int) -> bool:
    return Heartbeat.objects.count() == count


def process_of(owner: str) -> int:
    """Return the process id in a claim's name."""
    return int(owner.split(":")[1])


def is_all_received() -> bool:
    return not InboundEvent.objects.exclude(state="done").exists()


def test_what_a_killed_worker_was_receiving_goes_on_within_ten_seconds(
    connection: Connection, run_worker: Run
) -> None:
    store_messages(connection, range(50))
    for _ in range(2):
        run_worker()
    wait_for(lambda: is_all_received() and has_workers(2), "two workers")
    with psycopg.connect(database_url()) as somebody:
        somebody.execute("SELECT 1 FROM tickets_ticket ORDER BY id DESC LIMIT 1 FOR UPDATE")
        store_messages(connection, range(50, 100), times=1)
        wait_until_waited_for(somebody, "a worker to be in the middle of its work")
        held = InboundEvent.objects.filter(state="claimed").values_list("owner", flat=True)
        os.kill(process_of(held[0]), signal.SIGKILL)
        killed_at = time.monotonic()
    store_messages(connection, range(50, 100), times=1)
    wait_for(is_all_received, "every event to be done")
    assert time.monotonic() - killed_at <= GOES_ON_SECONDS
    assert Message.objects.count() == 100


def others_are_sent(message: Message) -> bool:
    """Tell whether all is sent but this message and those behind it in its conversation."""
    waiting = Message.objects.filter(from_me=True, ack__lt=Ack.SENT)
    return not waiting.exclude(ticket=message.ticket_id).exists()


def test_what_a_killed_worker_was_sending_goes_on_within_ten_seconds(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    meta = Meta(graph, connection.phone_number_id or "")
    accepted, killed = threading.Event(), threading.Event()

    def answer_after_the_kill(payload: dict[str, Any]) -> bool | None:
        if payload["text"]["body"] == "30":
            accepted.set()
            killed.wait(60)
            return None  # it died before it could know
        return False

    graph.after = answer_after_the_kill
    for _ in range(2):
        run_worker()
    wait_for(lambda: has_workers(2), "two workers")
    queue_up(tickets, 60)
    try:
        assert accepted.wait(60)
        sending = Delivery.objects.get(message__body="30")
        # A request cut off before its end has no word of Meta's to wait for: half a minute passes
        # (rules/messages §3). Of this one, Meta says that it was sent.
        wait_for(lambda: others_are_sent(sending.message), "all others to be sent")
        os.kill(process_of(sending.owner), signal.SIGKILL)
        killed_at = time.monotonic()
        killed.set()
        wait_for(all_sent, "every message to be sent")
        assert time.monotonic() - killed_at <= GOES_ON_SECONDS
    finally:
        killed.set()
        meta.stop()
    tries = Counter(message["biz_opaque_callback_data"] for message in graph.messages)
    assert len(tries) == 60
    assert set(tries.values()) == {1}


def test_what_a_killed_worker_was_preparing_goes_on_within_ten_seconds(
    connection: Connection,
    tickets: list[Ticket],
    graph: GraphServer,
    run_worker: Run,
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    uploading, killed = threading.Event(), threading.Event()

    def hang_in_the_upload(payload: dict[str, Any]) -> bool | None:
        if payload["type"] != "upload" or killed.is_set():
            return False
        uploading.set()
        killed.wait(60)
        return None

    graph.fault = hang_in_the_upload
    for _ in range(2):
        run_worker()
    wait_for(lambda: has_workers(2), "two workers")
    picture = b"\x89PNG\r\n\x1a\n" + os.urandom(1000)
    file = store_media(
        company_id=connection.company_id, content=picture, name="foto.png", mime="image/png"
    )
    message = make_message(
        tickets[0],
        from_me=True,
        external_id=None,
        media_type="image",
        media_state=MediaState.READY,
        media_path=file.path,
        media_name=file.name,
        media_mime=file.mime,
        media_size=file.size,
    )
    Delivery.objects.create(
        company=connection.company,
        connection=connection,
        contact=tickets[0].contact,
        message=message,
    )
    queue_up(tickets[:1], 1)
    wake(Delivery.wakes)
    try:
        assert uploading.wait(60)
        held = Delivery.objects.get(message=message)
        assert held.state == LeaseState.CLAIMED
        os.kill(process_of(held.owner), signal.SIGKILL)
        killed_at = time.monotonic()
        killed.set()
        # Meta says nothing: it was never asked for this message.
        wait_for(all_sent, "the picture and what was behind it to be sent")
        assert time.monotonic() - killed_at <= GOES_ON_SECONDS
    finally:
        killed.set()
    assert [each["type"] for each in graph.messages] == ["image", "text"]


def test_a_limit_without_a_time_costs_seconds(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    run_worker()
    queue_up(tickets, 20)
    wait_for(lambda: all_sent() and has_workers(1), "a worker")
    limited_at = time.monotonic()
    graph.fault = lambda payload: (
        (429, {}) if time.monotonic() - limited_at < SHORT_LIMIT_SECONDS else False
    )
    queue_up(tickets, 40)
    wake(Delivery.wakes)
    wait_for(all_sent, "every message to be sent")
    # The first pause, of five seconds, and the next look for what is due.
    assert SHORT_LIMIT_SECONDS <= time.monotonic() - limited_at <= GOES_ON_SECONDS
    assert sorted(map(int, graph.bodies)) == sorted([*range(20), *range(40)])


# A process that beats, and kills itself when its rows are committed, before it tells of them.
DIES_AFTER_ITS_COMMIT = """
import os, signal, sys, time
import django
django.setup()
from django.db import transaction
from apps.common.heartbeat import start_heartbeat
from apps.common.leases import worker_name
from apps.common.models import Heartbeat
from apps.tickets import events
from apps.tickets.models import Ticket
start_heartbeat()
while not Heartbeat.objects.filter(worker=worker_name()).exists():
    time.sleep(0.05)
with transaction.atomic():
    transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
    events.ticket_updated(Ticket.objects.get(pk=sys.argv[1]))
"""
CATCH_UP = {"type": "realtime.catch_up", "company": None}


def test_clients_reload_within_ten_seconds_when_a_process_died_before_it_told_them(
    tickets: list[Ticket], run_worker: Run
) -> None:
    run_worker()
    wait_for(lambda: has_workers(1), "a worker")
    listener = Listener(SERVERS)
    environment = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    died = subprocess.run(
        [sys.executable, "-c", DIES_AFTER_ITS_COMMIT, str(tickets[0].pk)],
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    died_at = time.monotonic()
    assert died.returncode == -signal.SIGKILL
    assert listener.next(60) == CATCH_UP
    # Browsers begin within two seconds of that (`apps.realtime.server`).
    assert time.monotonic() - died_at + CATCH_UP_SPREAD_SECONDS <= GOES_ON_SECONDS


def test_the_web_process_beats_and_nobody_reloads_when_processes_end_in_order(
    run_worker: Run, tmp_path: Path
) -> None:
    workers = [run_worker() for _ in range(2)]
    port = str(free_port())
    environment = {
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(tmp_path),
        "WEB_BIND": f"127.0.0.1:{port}",
        "WEB_PROCESSES": "1",
    }
    web = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "web"], cwd=ROOT, env={**os.environ, **environment}
    )
    listener = Listener(SERVERS)
    try:
        wait_for(lambda: has_workers(3), "two workers and the web process")
        for each in (web, workers[0]):
            each.terminate()
            each.wait(30)
        assert has_workers(1)
        left_at = time.monotonic()
        while (rest := left_at + DEAD_SECONDS + 3 - time.monotonic()) > 0:
            assert listener.next(rest) != CATCH_UP
    finally:
        web.kill()
        web.wait()


def test_a_redis_that_hangs_holds_up_neither_handling_nor_sending(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    redis = RedisServer()
    # Each send but the first plans a look for the next one.
    Connection.objects.filter(pk=connection.pk).update(sends_per_second=20)
    run_worker(REDIS_URL=redis.url)
    queue_up(tickets, 40)
    wait_for(lambda: all_sent() and has_workers(1), "a worker")
    os.kill(redis.process.pid, signal.SIGSTOP)
    try:
        frozen_at = time.monotonic()
        queue_up(tickets, 40)
        store_messages(connection, range(50), times=1)
        wait_for(lambda: all_sent() and is_all_received(), "everything to be done")
        # The waits for Redis, the pace, and two looks for what nobody could be woken for.
        assert time.monotonic() - frozen_at <= GOES_ON_SECONDS
    finally:
        os.kill(redis.process.pid, signal.SIGCONT)
        redis.stop()
    assert len(graph.messages) == 80
    assert Message.objects.filter(from_me=False).count() == 50


def file_of(connection: Connection, graph: GraphServer, megabytes: int, **fields: Any) -> bytes:
    """Have Meta keep a picture and a worker fetch it; return its bytes."""
    picture = b"\x89PNG\r\n\x1a\n" + os.urandom(megabytes * 1024 * 1024)
    graph.media["m1"] = ("image/png", picture)
    message = make_message(
        make_ticket(connection.company, connection=connection),
        media_type="image",
        media_mime="image/png",
        media_state=MediaState.FETCHING,
    )
    MediaFetch.objects.create(message=message, connection=connection, media_id="m1", **fields)
    wake(MediaFetch.wakes)
    return picture


def stored_files(directory: Path) -> list[bytes]:
    return [path.read_bytes() for path in (directory / "media").rglob("*") if path.is_file()]


def is_fetched() -> bool:
    return MediaFetch.objects.get().state == LeaseState.DONE


def test_a_file_whose_worker_was_killed_at_half_of_it_is_fetched_within_ten_seconds(
    connection: Connection, graph: GraphServer, run_worker: Run, tmp_path: Path
) -> None:
    half, killed = threading.Event(), threading.Event()

    def wait_for_the_kill() -> None:
        if not half.is_set():
            half.set()
            killed.wait(60)

    graph.at_half = wait_for_the_kill
    for _ in range(2):
        run_worker()
    wait_for(lambda: has_workers(2), "two workers")
    picture = file_of(connection, graph, 2)
    try:
        assert half.wait(60)
        os.kill(process_of(MediaFetch.objects.get().owner), signal.SIGKILL)
        killed_at = time.monotonic()
    finally:
        killed.set()
    wait_for(is_fetched, "the file")
    assert time.monotonic() - killed_at <= GOES_ON_SECONDS
    assert stored_files(tmp_path) == [picture]


def test_a_file_that_a_full_disk_cut_off_is_fetched_within_ten_seconds_of_room(
    connection: Connection, graph: GraphServer, run_worker: Run, tmp_path: Path
) -> None:
    """A process that may write no file of more than a megabyte meets what a full disk is."""
    tries = []
    graph.at_half = lambda: tries.append(time.monotonic())
    worker = run_worker()
    wait_for(lambda: has_workers(1), "a worker")

    def give_room(size: int) -> None:
        for pid in (worker.pid, *children_of(worker.pid)):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    give_room(1024 * 1024)
    # Tried so often that another fault would have it wait for minutes.
    picture = file_of(connection, graph, 2, attempts=12)
    wait_for(lambda: len(tries) > 1, "the second try")
    wait_for(lambda: MediaFetch.objects.get().state == LeaseState.WAITING, "its end")
    assert stored_files(tmp_path) == []
    give_room(resource.RLIM_INFINITY)
    room_at = time.monotonic()
    wait_for(is_fetched, "the file")
    assert time.monotonic() - room_at <= GOES_ON_SECONDS
    assert stored_files(tmp_path) == [picture]


def allow_connections(answer: str) -> None:
    """Let workers into the database, or keep them out and end those that are in."""
    name = str(database.settings_dict["NAME"])
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ours = cursor.fetchone()[0]
    server = database_url().rpartition("/")[0]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as beside:
        beside.execute(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS {answer}')
        if answer == "false":
            beside.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND pid <> %s",
                [name, ours],
            )


def is_cut_off() -> bool:
    """Tell whether the workers gave no sign of life for longer than makes them dead."""
    silent = Heartbeat.objects.annotate(silence=Now() - F("beaten_at"))
    return all(each.silence.total_seconds() > 6 for each in silent)


@pytest.mark.own_sessions
def test_work_goes_on_within_ten_seconds_once_the_database_is_back(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    store_messages(connection, range(50))
    run_worker()
    wait_for(lambda: is_all_received() and has_workers(1), "a worker")
    accepted, away = threading.Event(), threading.Event()

    def answer_when_the_database_is_away(payload: dict[str, Any]) -> bool:
        accepted.set()
        away.wait(60)
        return False

    graph.after = answer_when_the_database_is_away
    queue_up(tickets, 1)
    assert accepted.wait(60)
    try:
        with psycopg.connect(database_url()) as somebody:
            somebody.execute("SELECT 1 FROM tickets_ticket ORDER BY id DESC LIMIT 1 FOR UPDATE")
            store_messages(connection, range(50, 100), times=1)
            wait_until_waited_for(somebody, "the worker to be in the middle of its work")
            allow_connections("false")
            somebody.close()
        away.set()
        wait_for(is_cut_off, "an outage that a living worker outlasts")
    finally:
        away.set()
        allow_connections("true")
    back_at = time.monotonic()
    [sent] = graph.messages
    status = {
        "id": "wamid.sent1",
        "status": "sent",
        "recipient_id": sent["to"],
        "timestamp": "1767614400",
        "biz_opaque_callback_data": sent["biz_opaque_callback_data"],
    }
    store_messages(connection, range(50, 100), times=1)
    store_notices(notices(notification(connection.phone_number_id or "", statuses=[status])))
    wait_for(lambda: is_all_received() and all_sent(), "everything to be done")
    assert time.monotonic() - back_at <= GOES_ON_SECONDS
    assert Message.objects.filter(from_me=False).count() == 100
    assert len(graph.messages) == 1
