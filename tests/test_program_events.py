"""`/ws/events/` with service tokens and cursors, over real sockets (rules/realtime §6)."""

import asyncio
import json
import socket
import time
from contextlib import ExitStack
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection as database
from django.utils import timezone
from pytest_django import Settings
from rest_framework import serializers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from apps.accounts.consumers import HEARD
from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.accounts.services.service_tokens import create_token, revoke_token
from apps.accounts.tokens import make_access_token
from apps.common.silence import redis_client
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.realtime import history
from apps.realtime.emit import LiveEvent, emit, emit_to_all
from apps.realtime.programs import MOST_OF_A_COMPANY
from apps.realtime.schema import declared_events
from apps.tickets.rooms import ticket_rooms
from tests.factories import make_queue, make_ticket
from tests.product import wait_for
from tests.services import RedisServer
from tests.sockets import RealtimeServer, realtime_servers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

MESSAGE = LiveEvent("appMessage", create={"text": serializers.CharField()})
QUEUE = LiveEvent("queue", delete={"queueId": serializers.IntegerField()})
LARGE = LiveEvent(
    "contact", create={"id": serializers.IntegerField(), "text": serializers.CharField()}
)
LARGE_TEXT = "x" * 130_000
LARGE_EVENTS = 100
SETTINGS = LiveEvent("settings", also="settings", delete={"id": serializers.IntegerField()})
SEGMENT = LiveEvent(
    "segment", needs=Permission.CAMPAIGNS, delete={"id": serializers.IntegerField()}
)
NEWS = LiveEvent("announcement", is_common=True, delete={"id": serializers.IntegerField()})


def made(maker: User, *scopes: str, **fields: Any) -> Any:
    """Return a new token with its text."""
    given = {"name": "Ouvinte", "scopes": scopes or ["events"], **fields}
    return create_token(actor=maker, fields=given)


def listening(server: RealtimeServer, text: str, after: str = "") -> Any:
    query = f"?after={quote(after)}" if after else ""
    return connect(
        f"{server.url.replace('http', 'ws')}/ws/events/{query}",
        additional_headers={"Authorization": f"Bearer {text}"},
    )


def frame_of(program: Any) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(program.recv(timeout=10))
    return frame


def begun(program: Any) -> str:
    """Return the cursor with which a program is told that it is connected."""
    frame = frame_of(program)
    assert frame["event"] == "connected"
    return str(frame["cursor"])


def joined(program: Any, **request: Any) -> str:
    program.send(json.dumps(request))
    frame = frame_of(program)
    assert (frame["event"], frame["data"]) == ("joined", request)
    return str(frame["cursor"])


def closed_with(program: Any) -> tuple[int, str]:
    """Return the code and the reason with which the server closes a program."""
    with pytest.raises(ConnectionClosed) as closed:
        program.recv(timeout=10)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def tell(company_id: int, *numbers: int) -> None:
    for number in numbers:
        emit(QUEUE, "delete", {"queueId": number}, company_id=company_id)


def say(ticket: Any, text: str) -> None:
    rooms = ticket_rooms(ticket)
    emit(MESSAGE, "create", {"text": text}, company_id=ticket.company_id, rooms=rooms)


def is_let_in(server: RealtimeServer, text: str) -> bool:
    """Tell whether a program may begin now."""
    with listening(server, text) as program:
        try:
            return bool(frame_of(program)["event"] == "connected")
        except ConnectionClosed:
            return False


def numbers(program: Any, count: int, name: str = "queueId") -> list[int]:
    return [frame_of(program)["data"][name] for _ in range(count)]


def test_after_a_restart_of_the_database_programs_are_let_in_at_once(
    servers: list[RealtimeServer], admin: User
) -> None:
    [server, *_], (_, text) = servers, made(admin)
    # Each of its threads has a connection.
    assert all(is_let_in(server, text) for _ in range(10))
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert all(is_let_in(server, text) for _ in range(10))


def test_each_event_is_heard_by_programs_or_not(admin: User) -> None:
    silent = {
        *("user", "role", "auth", "settings", "payment", "whatsapp", "whatsappSession"),
        *("prompt", "queueIntegration", "announcement", "help"),
        *("chat", "chat-{chatId}", "chat-user-{userId}"),
        *("ticketViewers", "ticketWindow", "ticketFollow", "ticketMention"),
        *("ticketDraft", "ticketWriting", "presence", "assignmentAlert"),
        *("ticketDeadline", "slaAlert", "rule", "ruleAlert", "macro", "rehearsal"),
    }
    assert {event.name for event in declared_events()} == HEARD | silent
    assert not HEARD & silent


def test_a_token_hears_of_campaigns_as_an_admin_does(
    servers: list[RealtimeServer], admin: User, outsider: User
) -> None:
    with listening(servers[0], made(admin).text) as program:
        begun(program)
        for number, user in ((1, outsider), (2, admin)):
            emit(SEGMENT, "delete", {"id": number}, company_id=user.company_id)
        assert frame_of(program)["data"]["id"] == 2


def test_a_company_has_so_many_programs_in_a_process_and_another_one_its_own(
    servers: list[RealtimeServer], admin: User, outsider: User
) -> None:
    text = made(admin).text
    with ExitStack() as opened:
        programs = [
            opened.enter_context(listening(servers[0], text)) for _ in range(MOST_OF_A_COMPANY)
        ]
        for program in programs:
            begun(program)
        with listening(servers[0], text) as late:
            assert closed_with(late) == (4429, "ERR_TOO_MANY_REQUESTS")
        with listening(servers[0], made(outsider).text) as other:
            begun(other)
        programs[0].close()
        # The server may hear of it a moment after its program did.
        wait_for(lambda: is_let_in(servers[0], text), "the place of a program that left")


@pytest.mark.parametrize("index", [0, 1])
def test_a_token_hears_its_company_and_nothing_of_an_admins_account(
    servers: list[RealtimeServer],
    admin: User,
    outsider: User,
    connection: Connection,
    index: int,
) -> None:
    text = made(admin).text
    ticket = make_ticket(
        admin.company, queue=make_queue(admin.company), connection=connection, status="pending"
    )
    with listening(servers[index], text) as program:
        frame = frame_of(program)
        assert frame["data"] == {"companyId": admin.company_id, "userId": None}
        joined(program, join="tickets", status="pending")
        tell(outsider.company_id, 1)
        emit(SETTINGS, "delete", {"id": 1}, company_id=admin.company_id)
        emit_to_all(NEWS, "delete", {"id": 1})
        tell(admin.company_id, 2)
        say(ticket, "Olá!")
        assert numbers(program, 1) == [2]
        heard = frame_of(program)
        assert heard["event"] == f"company-{admin.company_id}-appMessage"
        assert heard["data"]["text"] == "Olá!"


def test_what_was_missed_comes_once_and_in_order_and_then_goes_on(
    servers: list[RealtimeServer], admin: User, connection: Connection, queue: Queue
) -> None:
    text = made(admin).text
    company = admin.company_id
    ticket = make_ticket(admin.company, queue=queue, connection=connection, status="pending")
    with listening(servers[0], text) as program:
        begun(program)
        joined(program, join="tickets", status="pending")
        tell(company, 1, 2)
        first, _ = frame_of(program), frame_of(program)
    emit(SETTINGS, "delete", {"id": 1}, company_id=company)
    say(ticket, "perdida")
    tell(company, *range(3, 300))
    # By the other process, from before the second event: the cursor is the last one *got*.
    with listening(servers[1], text, first["cursor"]) as program:
        tell(company, *range(300, 320))
        assert begun(program) == first["cursor"]
        assert numbers(program, 1) == [2]
        # The rooms of the earlier connection, without a new request.
        said = frame_of(program)
        assert said["data"]["text"] == "perdida"
        assert numbers(program, 317) == list(range(3, 320))
        tell(company, 320)
        last = frame_of(program)
        assert last["data"]["queueId"] == 320
    with listening(servers[0], text, last["cursor"]) as program:
        assert begun(program) == last["cursor"]
        tell(company, 321)
        assert numbers(program, 1) == [321]


def missed_much(servers: list[RealtimeServer], admin: User, text: str) -> str:
    """Return the cursor of a program that missed 13 MB, more than the system itself takes."""
    with listening(servers[0], text) as program:
        cursor = begun(program)
    for number in range(LARGE_EVENTS):
        data = {"id": number, "text": LARGE_TEXT}
        emit(LARGE, "create", data, company_id=admin.company_id)
    return cursor


def reading_slowly(server: RealtimeServer, text: str, after: str) -> Any:
    """A program that takes a frame from the network when it has read the one before."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    client.connect(("127.0.0.1", server.port))
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/events/?after={quote(after)}",
        sock=client,
        max_queue=1,
        additional_headers={"Authorization": f"Bearer {text}"},
    )


def test_a_long_replay_waits_for_a_slow_reader(servers: list[RealtimeServer], admin: User) -> None:
    text = made(admin).text
    cursor = missed_much(servers, admin, text)
    with reading_slowly(servers[0], text, cursor) as slow:
        begun(slow)
        # It reads nothing while another program of the same process is told all of it.
        with listening(servers[0], text, cursor) as other:
            begun(other)
            assert numbers(other, LARGE_EVENTS, "id") == list(range(LARGE_EVENTS))
        assert numbers(slow, LARGE_EVENTS, "id") == list(range(LARGE_EVENTS))
        tell(admin.company_id, 1)
        assert numbers(slow, 1) == [1]


def test_a_replay_that_waits_ends_with_its_token(
    servers: list[RealtimeServer], admin: User
) -> None:
    created, other = made(admin), made(admin)
    cursor = missed_much(servers, admin, created.text)
    with reading_slowly(servers[0], created.text, cursor) as slow:
        begun(slow)
        with listening(servers[0], other.text, cursor) as program:
            begun(program)
            numbers(program, LARGE_EVENTS, "id")
            revoke_token(actor=admin, token_id=created.row.pk)
            # The same process has been told of the revocation before this.
            tell(admin.company_id, 1)
            assert numbers(program, 1) == [1]
        heard = []
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                heard.append(frame_of(slow))
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert len(heard) < LARGE_EVENTS


def test_a_person_who_lost_a_queue_is_not_told_what_was_missed_there(
    servers: list[RealtimeServer], agent: User, connection: Connection, queue: Queue
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection, status="pending")
    with listening(servers[0], make_access_token(agent)) as program:
        begun(program)
        cursor = joined(program, join="tickets", status="pending")
    say(ticket, "segredo")
    agent.queues.clear()
    tell(agent.company_id, 1)
    with listening(servers[0], make_access_token(agent), cursor) as program:
        begun(program)
        assert numbers(program, 1) == [1]


@pytest.mark.parametrize(
    "after",
    ["rubbish", "0", "-1-1", "x-1-1", "x-99999999999999999999-1", "x-1-1.tickets:open", "%00"],
)
def test_a_cursor_that_is_none_is_said_to_be_too_old(
    servers: list[RealtimeServer], admin: User, after: str
) -> None:
    with listening(servers[0], made(admin).text, after) as program:
        assert closed_with(program) == (4409, "ERR_CURSOR_TOO_OLD")


def test_a_cursor_of_another_company_or_of_the_future_is_said_to_be_too_old(
    servers: list[RealtimeServer], admin: User, outsider: User
) -> None:
    with listening(servers[0], made(admin).text) as program:
        begun(program)
        tell(admin.company_id, 1)
        cursor = frame_of(program)["cursor"]
    place, _, number = cursor.rpartition("-")
    later = f"{place}-{int(number) + 1}"
    for maker, after in ((outsider, cursor), (admin, later)):
        with listening(servers[0], made(maker).text, after) as program:
            assert closed_with(program) == (4409, "ERR_CURSOR_TOO_OLD")


def test_after_an_hour_the_missed_events_are_not_kept_any_more(
    servers: list[RealtimeServer], admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, company = made(admin).text, admin.company_id
    with listening(servers[0], text) as program:
        old = begun(program)
    tell(company, 1)
    hour_later = time.time() + history.KEPT_SECONDS + 1
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: hour_later)
        tell(company, 2)
    with listening(servers[0], text, old) as program:
        assert closed_with(program) == (4409, "ERR_CURSOR_TOO_OLD")


def test_a_companys_kept_events_have_a_bounded_size(
    servers: list[RealtimeServer], admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 1000)
    text, company = made(admin).text, admin.company_id
    with listening(servers[0], text) as program:
        old = begun(program)
    tell(company, *range(100))
    assert redis_client().xlen(f"balcaoevents:{company}") < 20
    with listening(servers[0], text, old) as program:
        assert closed_with(program) == (4409, "ERR_CURSOR_TOO_OLD")


def test_nothing_is_kept_where_no_program_listens(admin: User) -> None:
    tell(admin.company_id, 1)
    client = redis_client()
    assert not client.exists(f"balcaoevents:{admin.company_id}")
    asyncio.run(history.listen(admin.company_id, now_ms=int(time.time() * 1000)))
    tell(admin.company_id, 2)
    key = f"balcaoevents:{admin.company_id}"
    assert client.xlen(key) == 2  # the beginning and one event
    # It outlives its last program by an hour at least.
    rest = client.ttl(key)
    assert history.KEPT_SECONDS < rest - history.RENEWED_SECONDS + 60 < 2 * history.KEPT_SECONDS


def test_a_redis_that_was_restarted_replays_nothing(admin: User, settings: Settings) -> None:
    redis = RedisServer()
    try:
        settings.REDIS_URL = redis.url
        redis_client.cache_clear()
        with realtime_servers("uvicorn", REDIS_URL=redis.url) as (server,):
            text = made(admin).text
            with listening(server, text) as program:
                cursor = begun(program)
                redis.stop()
                redis.start()
                assert closed_with(program) == (4410, "ERR_EVENTS_MISSED")
            ends = [(4410, "")]
            while ends[-1][0] == 4410:  # Redis may just be back
                with listening(server, text, cursor) as program:
                    ends.append(closed_with(program))
            assert ends[-1] == (4409, "ERR_CURSOR_TOO_OLD")
    finally:
        redis_client.cache_clear()
        redis.stop()


def test_a_process_that_leaves_sends_its_programs_to_another_one(admin: User) -> None:
    text = made(admin).text
    with realtime_servers("uvicorn", "uvicorn", DRAIN_SECONDS="4") as (leaving, other):
        with listening(leaving, text) as program:
            begun(program)
            tell(admin.company_id, 1)
            cursor = frame_of(program)["cursor"]
            leaving.process.terminate()
            assert closed_with(program) == (4410, "ERR_EVENTS_MISSED")
        tell(admin.company_id, 2)
        with listening(other, text, cursor) as program:
            assert begun(program) == cursor
            assert numbers(program, 1) == [2]


def test_events_that_could_not_be_sent_are_not_passed_over(
    servers: list[RealtimeServer], admin: User, settings: Settings
) -> None:
    text, company, url = made(admin).text, admin.company_id, settings.REDIS_URL
    with listening(servers[0], text) as program:
        cursor = begun(program)
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        redis_client.cache_clear()
        tell(company, 1)  # lost, and this process owes the word of it
        settings.REDIS_URL = url
        redis_client.cache_clear()
        assert closed_with(program) == (4410, "ERR_EVENTS_MISSED")
    with listening(servers[0], text, cursor) as program:
        assert closed_with(program) == (4409, "ERR_CURSOR_TOO_OLD")


def test_a_revoked_token_closes_its_sockets_and_no_others(
    servers: list[RealtimeServer], admin: User
) -> None:
    created, other = made(admin), made(admin)
    with listening(servers[0], created.text) as program, listening(servers[0], other.text) as rest:
        begun(program)
        begun(rest)
        revoke_token(actor=admin, token_id=created.row.pk)
        assert closed_with(program) == (4401, "ERR_SESSION_EXPIRED")
        tell(admin.company_id, 1)
        assert numbers(rest, 1) == [1]
    with listening(servers[0], created.text) as program:
        assert closed_with(program) == (4401, "ERR_UNKNOWN_TOKEN")


def test_a_token_that_ends_closes_its_sockets(servers: list[RealtimeServer], admin: User) -> None:
    end = timezone.now() + timedelta(seconds=3)
    text = made(admin, expires_at=end).text
    with listening(servers[0], text) as program:
        begun(program)
        assert closed_with(program) == (4401, "ERR_SESSION_EXPIRED")
        assert timezone.now() >= end
    with listening(servers[0], text) as program:
        assert closed_with(program) == (4401, "ERR_TOKEN_EXPIRED")


def test_a_token_without_the_scope_is_turned_away(
    servers: list[RealtimeServer], admin: User
) -> None:
    with listening(servers[0], made(admin, "read", "tickets").text) as program:
        assert closed_with(program) == (4403, "ERR_TOKEN_SCOPE")
