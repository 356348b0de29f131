"""The calls of reports: rows, figures that open them, and files (rules/reports §1 to §6)."""

import csv
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO
from random import Random
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import load_workbook

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common import counts
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.reports.serializers import PersonDaySerializer, ReportedConversationSerializer
from apps.reports.services.exporting import ACTIVITY_COLUMNS, CONVERSATION_COLUMNS, COSTS
from apps.reports.services.heads import HEADS
from apps.reports.tests.conftest import fill
from apps.tickets.models import Message, Ticket, TicketActivity, TrackingCycle
from apps.tickets.queries.passes import times_of, within
from conftest import ClientFor
from tests.factories import make_contact, make_message, make_tag, make_ticket

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAYS = "dateFrom=2026-06-01&dateTo=2026-06-30"


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    contact = make_contact(acme, name="=Ana", number="5511984321100")
    made = make_ticket(acme, contact=contact, connection=connection, queue=queue, status="closed")
    TrackingCycle.objects.filter(ticket=made).delete()
    made.tags.add(make_tag(acme, name="vip"))
    return made


def resolved(ticket: Ticket, user: User, **fields: Any) -> TrackingCycle:
    """A cycle that waited 5 minutes, was answered after 6 and resolved after 30."""
    return TrackingCycle.objects.create(
        **{
            "company": ticket.company,
            "ticket": ticket,
            "contact": ticket.contact,
            "connection": ticket.connection,
            "queue": ticket.queue,
            "user": user,
            "opened_at": NINE,
            "queued_at": NINE,
            "started_at": NINE + timedelta(minutes=5),
            "first_answer_at": NINE + timedelta(minutes=6),
            "finished_at": NINE + timedelta(minutes=30),
            **fields,
        }
    )


def get(client: Any, path: str) -> dict[str, Any]:
    answer = client.get(f"/api/reports/{path}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_a_row_tells_all_of_a_conversation(
    client: Any, ticket: Ticket, connection: Connection, queue: Queue, agent: User
) -> None:
    cycle = resolved(ticket, agent, closing_reason="Venda", rate=3, rating_asked_at=NINE)
    body = get(client, f"conversations?{DAYS}")
    [row] = body["conversations"]
    assert row == {
        "id": cycle.pk,
        "ticketId": ticket.pk,
        "uuid": str(ticket.uuid),
        "protocol": ticket.protocol,
        "state": "resolved",
        "contactId": ticket.contact_id,
        "contactName": "=Ana",
        "number": "5511984321100",
        "connectionId": ticket.connection_id,
        "connectionName": connection.name,
        "queueId": ticket.queue_id,
        "queueName": queue.name,
        "userId": agent.pk,
        "userName": agent.name,
        "tags": ["vip"],
        "reason": "Venda",
        "queuedAt": "2026-06-10T12:00:00Z",
        "startedAt": "2026-06-10T12:05:00Z",
        "firstAnswerAt": "2026-06-10T12:06:00Z",
        "finishedAt": "2026-06-10T12:30:00Z",
        "waitSeconds": 300,
        "firstAnswerSeconds": 360,
        "attendanceSeconds": 1500,
        "resolutionSeconds": 1800,
        "received": 0,
        "answers": 0,
        "firstMessageAt": None,
        "lastMessageAt": None,
        "ratingAskedAt": "2026-06-10T12:00:00Z",
        "rating": 3,
        "costs": [],
    }
    assert (body["count"], body["next"]) == (1, None)
    assert (body["dateFrom"], body["dateTo"]) == ("2026-06-01", "2026-06-30")


def test_times_may_count_working_hours_alone(
    client: Any, ticket: Ticket, queue: Queue, agent: User, acme: Company
) -> None:
    resolved(ticket, agent)
    queue.schedules = [{"weekdayEn": "wednesday", "startTime": "09:10", "endTime": "09:20"}]
    queue.save()
    acme.settings.update_or_create(key="scheduleType", defaults={"value": "queue"})
    [row] = get(client, f"conversations?{DAYS}&clock=open")["conversations"]
    assert (row["waitSeconds"], row["firstAnswerSeconds"]) == (0, 0)
    assert (row["attendanceSeconds"], row["resolutionSeconds"]) == (600, 600)
    figures = get(client, f"figures?{DAYS}&clock=open")
    assert figures["resolutionSeconds"] == 600
    assert {"band": "1m", "count": 1} in figures["bands"]
    opened = get(client, f"conversations?{DAYS}&clock=open&band=1m")
    assert (len(opened["conversations"]), opened["count"]) == (1, None)
    assert not get(client, f"conversations?{DAYS}&clock=open&band=15m")["conversations"]


@pytest.mark.parametrize("clock", ["all", "open"])
def test_a_clock_that_was_set_back_counts_nothing(
    client: Any, ticket: Ticket, agent: User, clock: str
) -> None:
    resolved(ticket, agent, started_at=NINE - timedelta(seconds=3))
    query = f"{DAYS}&clock={clock}"
    assert get(client, f"conversations?{query}")["conversations"][0]["waitSeconds"] == 0
    assert get(client, f"figures?{query}")["waitSeconds"] == 0


def test_every_figure_opens_its_conversations(client: Any, acme: Company) -> None:
    fill(acme, Random(3), NINE)
    figures = get(client, f"figures?{DAYS}")

    def counted(query: str) -> int:
        count: int = get(client, f"conversations?{DAYS}&{query}")["count"]
        return count

    assert figures["conversations"] > 20
    assert counted("") == figures["conversations"]
    for state in ("waiting", "open", "resolved"):
        assert counted(f"state={state}") == figures[state]
    for band in figures["bands"]:
        assert counted(f"band={band['band']}") == band["count"]
    for time in figures["times"]:
        assert counted(f"weekday={time['weekday']}&hour={time['hour']}") == time["count"]
    for rating in figures["ratings"]:
        assert counted(f"rating={rating['rating']}") == rating["count"]
    for reason in figures["reasons"]:
        name = reason["reason"]
        query = f"reason={name}" if name else "withoutReason=true"
        assert counted(query) == reason["count"]
    rated = sum(each["count"] for each in figures["ratings"])
    assert counted("rating=any") == rated
    assert counted("rating=unanswered") == figures["unanswered"]


def test_a_mean_opens_what_it_is_made_of(client: Any, acme: Company) -> None:
    fill(acme, Random(3), NINE, tickets=20)
    figures = get(client, f"figures?{DAYS}")
    for name, query in (
        ("waitSeconds", "accepted=true"),
        ("firstAnswerSeconds", "answered=true"),
        ("attendanceSeconds", "accepted=true&state=resolved"),
        ("resolutionSeconds", "state=resolved"),
    ):
        rows: list[dict[str, Any]] = []
        cursor = ""
        while cursor is not None:
            page = get(client, f"conversations?{DAYS}&{query}{cursor and f'&cursor={cursor}'}")
            rows += page["conversations"]
            cursor = page["next"]
        times = [row[name] for row in rows]
        assert times
        assert None not in times
        # The rows leave out fractions of seconds.
        assert abs(sum(times) / len(times) - figures[name]) <= 1.5


def test_a_persons_day_opens_what_they_worked_on(
    client: Any, ticket: Ticket, agent: User, admin: User
) -> None:
    """Whoever has it now, and whenever it was queued; only the cycle that went on then."""
    resolved(ticket, admin)
    later = resolved(ticket, admin, opened_at=NINE + timedelta(days=2), queued_at=NINE)
    other = make_ticket(ticket.company, contact=make_contact(ticket.company), status="closed")
    TrackingCycle.objects.filter(ticket=other).delete()
    acted = resolved(other, admin)
    message = make_message(ticket, from_me=True, source="agent", user=agent)
    Message.objects.filter(pk=message.pk).update(created_at=NINE + timedelta(days=3))
    TicketActivity.objects.create(
        ticket=other, kind="noted", actor=agent, created_at=NINE + timedelta(days=3)
    )
    query = "dateFrom=2026-06-13&dateTo=2026-06-13"
    body = get(client, f"conversations?{query}&workedBy={agent.pk}")
    assert {row["id"] for row in body["conversations"]} == {later.pk, acted.pk}
    assert body["count"] == 2
    assert get(client, f"conversations?{query}&workedBy={admin.pk}")["count"] == 0
    [day] = get(client, f"activity?{query}&userId={agent.pk}")["days"]
    assert (day["messages"], day["acts"]) == (1, 1)
    answer = client.get(f"/api/reports/conversations?dateFrom=2026-01-01&workedBy={agent.pk}")
    assert list(answer.json()["fields"]) == ["dateFrom"]


def test_an_open_conversation_tells_its_first_answer_and_no_figure_counts_it(
    client: Any, ticket: Ticket, agent: User
) -> None:
    resolved(ticket, agent, first_answer_at=None, finished_at=None)
    for seconds, source in ((-5, "agent"), (10, "bot"), (30, "agent"), (60, "phone")):
        message = make_message(ticket, from_me=True, source=source)
        at = NINE + timedelta(seconds=seconds)
        Message.objects.filter(pk=message.pk).update(created_at=at)
    [row] = get(client, f"conversations?{DAYS}")["conversations"]
    assert (row["firstAnswerAt"], row["firstAnswerSeconds"]) == ("2026-06-10T12:00:30Z", 30)
    assert get(client, f"figures?{DAYS}")["firstAnswerSeconds"] is None


def test_of_a_ticket_with_many_conversations_only_their_messages_are_looked_at(
    client: Any, ticket: Ticket, agent: User
) -> None:
    cycles = []
    for day in range(6):
        at = NINE + timedelta(days=day)
        cycles.append(resolved(ticket, agent, opened_at=at, queued_at=at))
        for minutes in (-1, 1, 2):
            message = make_message(ticket)
            Message.objects.filter(pk=message.pk).update(created_at=at + timedelta(minutes=minutes))
    rows = get(client, f"conversations?{DAYS}")["conversations"]
    # The last message before a conversation belongs to the one before, and the very first to the
    # first.
    assert [row["received"] for row in rows] == [2, 3, 3, 3, 3, 4]
    times = times_of([cycles[2].pk, cycles[3].pk])
    assert Message.objects.filter(within(times, "created_at")).count() == 6


def test_pages_are_read_one_after_another(client: Any, ticket: Ticket, agent: User) -> None:
    # All at one moment: the id decides.
    made = [resolved(ticket, agent).pk for _ in range(85)]
    found, cursor = [], ""
    for length in (40, 40, 5):
        body = get(
            client, f"conversations?{DAYS}&cursor={cursor}" if cursor else f"conversations?{DAYS}"
        )
        assert len(body["conversations"]) == length
        found += [row["id"] for row in body["conversations"]]
        cursor = body["next"]
    assert cursor is None
    assert found == made[::-1]


def test_a_large_count_is_cached_and_a_list_of_one_page_is_not_counted(
    client: Any, ticket: Ticket, agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "LARGE_COUNT", 41)
    monkeypatch.setattr(counts, "_large_counts", {})

    def counted(query: str) -> tuple[int, int]:
        with CaptureQueriesContext(database) as captured:
            count = get(client, f"conversations?{DAYS}&{query}")["count"]
        return count, sum("COUNT(*)" in each["sql"] for each in captured.captured_queries)

    for _ in range(39):
        resolved(ticket, agent)
    resolved(ticket, agent, rate=1)
    assert counted("") == (40, 0)
    resolved(ticket, agent)
    assert [counted(""), counted("")] == [(41, 1), (41, 0)]
    # What is asked with other filters is another count.
    assert counted("rating=1") == (1, 0)
    assert counted("state=resolved") == (41, 1)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("dateFrom=2026-06-11&dateTo=2026-06-10", "dateTo"),
        ("dateFrom=2024-06-11&dateTo=2026-06-10", "dateFrom"),
        ("dateFrom=ontem", "dateFrom"),
        ("state=lost", "state"),
        ("band=2m", "band"),
        ("weekday=8", "weekday"),
        ("hour=24", "hour"),
        ("rating=4", "rating"),
        ("userId=x", "userId"),
        ("tagId=0", "tagId"),
        ("cursor=1-", "cursor"),
        ("cursor=1-99999999999999999999", "cursor"),
        ("clock=sun", "clock"),
    ],
)
def test_a_wrong_filter_is_named(client: Any, query: str, field: str) -> None:
    answer = client.get(f"/api/reports/conversations?{query}")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["fields"]) == [field]


@pytest.mark.parametrize("path", ["figures?clock=open", "conversations?clock=open&band=1h"])
def test_what_is_counted_one_by_one_is_of_fewer_days(client: Any, path: str) -> None:
    def asked(first: str) -> Any:
        return client.get(f"/api/reports/{path}&dateFrom={first}&dateTo=2026-06-30")

    assert asked("2026-03-31").status_code == 200
    refused = asked("2026-03-30")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["dateFrom"])
    for free in ("figures?clock=all", "conversations?clock=open", "conversations?band=1h"):
        answer = client.get(f"/api/reports/{free}&dateFrom=2026-01-01&dateTo=2026-06-30")
        assert answer.status_code == 200


def test_without_days_they_are_the_last_thirty(client: Any) -> None:
    body = get(client, "figures")
    first, last = (datetime.fromisoformat(body[name]) for name in ("dateFrom", "dateTo"))
    assert (last - first).days == 29


def test_the_number_of_queries_is_constant(
    client: Any, acme: Company, django_assert_max_num_queries: Any
) -> None:
    fill(acme, Random(1), NINE, tickets=3)
    with django_assert_max_num_queries(11) as few:
        get(client, f"conversations?{DAYS}")
    fill(acme, Random(2), NINE, tickets=20)
    # One more if there are unfinished ones.
    with django_assert_max_num_queries(len(few.captured_queries) + 1):
        get(client, f"conversations?{DAYS}")


def lines(answer: Any) -> list[list[str]]:
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(StringIO(text), delimiter=";"))


def test_the_file_has_the_rows_of_the_call(client: Any, ticket: Ticket, agent: User) -> None:
    resolved(ticket, agent, closing_reason="Venda", rate=3)
    answer = client.get(
        f"/api/reports/conversations/export?{DAYS}", headers={"Accept-Language": "pt-BR"}
    )
    assert answer["Content-Disposition"] == 'attachment; filename="conversations.csv"'
    head, row = lines(answer)
    told = dict(zip(head, row, strict=True))
    assert told["contato"] == "'=Ana"
    assert told["situação"] == "resolvida"
    assert told["início da espera"] == "10/06/2026 09:00:00"
    assert told["tempo até a primeira resposta"] == "00:06:00"
    assert (told["motivo"], told["avaliação"], told["tags"]) == ("Venda", "3", "vip")
    entry = AuditEntry.objects.get(action="reports.conversations_exported")
    assert entry.detail == {"first": "2026-06-01", "last": "2026-06-30"}


def test_the_sheet_has_moments_and_spans(client: Any, ticket: Ticket, agent: User) -> None:
    resolved(ticket, agent)
    answer = client.get(
        f"/api/reports/conversations/export?{DAYS}&file=xlsx", headers={"Accept-Language": "en"}
    )
    book = load_workbook(BytesIO(b"".join(answer.streaming_content)))
    head, row = book["Conversations"].values
    told = dict(zip(head, row, strict=True))
    assert told["Contact"] == "=Ana"
    assert told["Began to wait"] == datetime(2026, 6, 10, 9)
    assert told["Wait"] == timedelta(minutes=5)


def test_the_heads_of_times_say_that_working_hours_are_counted(
    client: Any, ticket: Ticket, agent: User
) -> None:
    resolved(ticket, agent)
    path = f"/api/reports/conversations/export?{DAYS}"
    plain, counted = (lines(client.get(f"{path}&clock={clock}"))[0] for clock in ("all", "open"))
    times = {"espera", "tempo até a primeira resposta", "atendimento", "tempo até resolver"}
    assert times < set(plain)
    told = [f"{head} (horário de atendimento)" if head in times else head for head in plain]
    assert counted == told


def test_a_file_is_as_narrow_as_the_list(client: Any, acme: Company) -> None:
    fill(acme, Random(4), NINE)
    query = f"{DAYS}&state=resolved&clock=open&band=1h"
    listed = get(client, f"conversations?{query}")["conversations"]
    rows = lines(client.get(f"/api/reports/conversations/export?{query}"))[1:]
    assert [row[0] for row in rows] == [row["protocol"] for row in listed]


@pytest.mark.parametrize("path", ["conversations/export?", "figures?clock=open&"])
@pytest.mark.parametrize("narrow", ["", "&queueId=0"])
def test_what_is_long_is_read_in_parts_also_behind_a_pooler(
    client: Any, acme: Company, monkeypatch: pytest.MonkeyPatch, path: str, narrow: str
) -> None:
    fill(acme, Random(6), NINE)
    whole = client.get(f"/api/reports/{path}{DAYS}{narrow}").getvalue()
    monkeypatch.setattr("apps.reports.queries.conversations.CHUNK", 3)
    monkeypatch.setitem(database.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    with CaptureQueriesContext(database) as captured:
        assert client.get(f"/api/reports/{path}{DAYS}{narrow}").getvalue() == whole
    table = TrackingCycle._meta.db_table
    lists = [
        each["sql"]
        for each in captured.captured_queries
        if f'FROM "{table}"' in each["sql"] and "ORDER BY 1 DESC, 2 DESC" in each["sql"]
    ]
    assert len(lists) > 1
    assert all("LIMIT 3" in sql for sql in lists)


def test_screen_file_and_call_have_the_same_fields() -> None:
    fields = list(ReportedConversationSerializer().fields)
    assert [name for name in fields if name in CONVERSATION_COLUMNS] == CONVERSATION_COLUMNS
    left = {name for name in fields if name not in CONVERSATION_COLUMNS}
    assert left == {
        *("id", "ticketId", "uuid", "contactId", "connectionId", "queueId", "userId", "costs")
    }
    assert set(PersonDaySerializer().fields) - set(ACTIVITY_COLUMNS) == {"userId"}
    for words in HEADS.values():
        assert set(words) >= {*CONVERSATION_COLUMNS, *ACTIVITY_COLUMNS, *COSTS}
        assert list(words) == list(HEADS["pt"])


def test_another_company_is_in_nothing(
    client: Any, globex: Company, ticket: Ticket, agent: User
) -> None:
    fill(globex, Random(5), NINE, tickets=5)
    resolved(ticket, agent)
    assert get(client, f"conversations?{DAYS}")["count"] == 1
    assert get(client, f"figures?{DAYS}")["conversations"] == 1
    foreign = Contact.objects.filter(company=globex).values_list("name", flat=True)
    text = str(lines(client.get(f"/api/reports/conversations/export?{DAYS}")))
    assert not any(name in text for name in foreign)


def test_attendants_are_refused(client_for: ClientFor, agent: User) -> None:
    for path in ("conversations", "conversations/export", "figures", "activity"):
        assert client_for(agent).get(f"/api/reports/{path}").status_code == 403


def test_a_return_leaves_what_was_said_with_its_conversation(
    client: Any, acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    from apps.tickets.services.tickets.tracking import track

    ticket = make_ticket(acme, connection=connection, queue=queue, status="pending")
    TrackingCycle.objects.filter(ticket=ticket).delete()
    begun = timezone.now() - timedelta(hours=2)
    track(ticket, old_status="", at=begun)
    ticket.status = "open"
    track(ticket, old_status="pending", at=begun + timedelta(minutes=1))
    ticket.status = "pending"
    track(ticket, old_status="open", at=begun + timedelta(hours=1))
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert cycle.opened_at == begun
    assert cycle.queued_at == begun + timedelta(hours=1)
