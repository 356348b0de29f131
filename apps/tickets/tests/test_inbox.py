from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.common import counts
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketTag
from conftest import ClientFor
from tests.factories import (
    make_contact,
    make_message,
    make_queue,
    make_tag,
    make_ticket,
    make_user,
)

Ids = Any


@pytest.fixture
def ids(client_for: ClientFor) -> Ids:
    def read(user: User, **query: Any) -> list[int]:
        texts = {
            key: value if isinstance(value, str) else orjson.dumps(value).decode()
            for key, value in query.items()
        }
        response = client_for(user).get("/api/tickets", texts)
        assert response.status_code == 200, response.content
        body = response.json()
        assert body["count"] == len(body["tickets"])
        return [row["id"] for row in body["tickets"]]

    return read


class Inbox:
    """One ticket of each sort that the rules tell apart."""

    def __init__(self, company: Company, agent: User, queue: Queue) -> None:
        self.other_queue = make_queue(company, name="Suporte")
        self.colleague = make_user(company, queues=[queue, self.other_queue])
        self.mine = make_ticket(company, queue=queue, user=agent, status="open")
        self.pending = make_ticket(company, queue=queue)
        self.theirs = make_ticket(company, queue=queue, user=self.colleague, status="open")
        self.elsewhere = make_ticket(company, queue=self.other_queue)
        self.queueless = make_ticket(company)
        self.closed = make_ticket(company, queue=queue, user=agent, status="closed")
        self.kept = make_ticket(company, queue=self.other_queue, user=agent, status="open")
        for place, ticket in enumerate(Ticket.objects.order_by("pk")):
            at = timezone.now() - timedelta(minutes=place)
            Ticket.objects.filter(pk=ticket.pk).update(updated_at=at)


@pytest.fixture
def box(acme: Company, agent: User, queue: Queue, connection: Connection) -> Inbox:
    return Inbox(acme, agent, queue)


def test_without_show_all_it_is_what_one_holds_and_what_waits_in_own_queues(
    ids: Ids, agent: User, box: Inbox
) -> None:
    assert ids(agent, status="open") == [box.mine.pk, box.kept.pk]
    assert ids(agent, status="pending") == [box.pending.pk]
    assert ids(agent, status="closed") == [box.closed.pk]
    assert ids(agent) == [box.mine.pk, box.pending.pk, box.closed.pk, box.kept.pk]
    assert ids(agent, status="", searchParam="", withoutQueue="") == ids(agent)


def test_who_waits_longest_comes_first_where_that_is_asked_for(
    ids: Ids, client_for: ClientFor, agent: User, acme: Company, queue: Queue
) -> None:
    now = timezone.now()
    tickets = [
        make_ticket(
            acme,
            queue=queue,
            queued_at=now - timedelta(minutes=waits),
            updated_at=now - timedelta(minutes=quiet),
        )
        for waits, quiet in ((12, 1), (45, 2), (3, 3))
    ]
    by_wait = [tickets[1].pk, tickets[0].pk, tickets[2].pk]
    assert ids(agent, status="pending", order="longest_waiting") == by_wait
    by_update = [ticket.pk for ticket in tickets]
    assert ids(agent, status="pending") == by_update
    assert ids(agent, status="pending", order="updated") == by_update
    refused = client_for(agent).get("/api/tickets", {"order": "soonest"})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["order"])


def test_asked_queues_are_clamped_to_the_callers(
    ids: Ids, agent: User, queue: Queue, box: Inbox
) -> None:
    both = [queue.pk, box.other_queue.pk]
    assert ids(agent, status="pending", queueIds=both) == [box.pending.pk]
    assert ids(agent, status="pending", queueIds=[box.other_queue.pk]) == []
    assert ids(agent, status="open", queueIds=[box.other_queue.pk]) == []
    # All own queues are no narrowing: what one holds elsewhere stays in sight.
    assert ids(agent, status="open", queueIds=[str(queue.pk)]) == [box.mine.pk, box.kept.pk]


def test_an_asked_queue_narrows_what_one_holds(
    ids: Ids, agent: User, admin: User, queue: Queue, box: Inbox
) -> None:
    # With `withoutQueue` the queues are a person's choice, be they all the own ones.
    asked = {"queueIds": [queue.pk], "withoutQueue": "false", "status": "open"}
    assert ids(agent, **asked) == [box.mine.pk]
    Ticket.objects.filter(pk__in=[box.mine.pk, box.kept.pk]).update(user=admin)
    assert ids(admin, **asked) == [box.mine.pk]
    assert ids(admin, **{**asked, "queueIds": [box.other_queue.pk]}) == [box.kept.pk]
    assert ids(admin, status="open", queueIds=[]) == [box.mine.pk, box.kept.pk]


def test_show_all_is_ignored_for_users_until_spying_is_allowed(
    ids: Ids, acme: Company, agent: User, box: Inbox
) -> None:
    assert ids(agent, showAll="true") == ids(agent)
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert len(ids(agent, showAll="true")) == 7
    assert len(ids(agent, showAll="false")) == 4


def test_an_admin_sees_all_with_show_all_and_tickets_without_a_queue_always(
    ids: Ids, admin: User, queue: Queue, box: Inbox
) -> None:
    assert len(ids(admin, showAll="true")) == 7
    assert ids(admin) == [box.queueless.pk]
    assert ids(admin, withoutQueue="false") == []
    assert ids(admin, showAll="true", withoutQueue="only") == [box.queueless.pk]
    assert box.queueless.pk not in ids(admin, showAll="true", withoutQueue="false")
    narrowed = ids(admin, showAll="true", queueIds=[queue.pk], status="pending")
    assert narrowed == [box.pending.pk, box.queueless.pk]
    assert ids(
        admin, showAll="true", queueIds=[queue.pk], status="pending", withoutQueue="false"
    ) == [box.pending.pk]
    assert ids(admin, withoutQueue="only", status="pending") == [box.queueless.pk]
    assert ids(admin, withoutQueue="only", status="open") == []


def test_tickets_without_a_queue_are_not_for_users(ids: Ids, agent: User, box: Inbox) -> None:
    assert ids(agent, withoutQueue="only") == []
    Ticket.objects.filter(pk=box.mine.pk).update(queue=None)
    assert ids(agent, withoutQueue="only") == [box.mine.pk]
    assert ids(agent, withoutQueue="false", status="open") == [box.kept.pk]
    # Asking for the whole company gives nothing more to who may not see it.
    assert ids(agent, withoutQueue="only", showAll="true", status="pending") == []
    CompanySetting.objects.create(
        company_id=agent.company_id, key="allowToSpyMessage", value="enabled"
    )
    assert ids(agent, withoutQueue="only", showAll="true", status="pending") == [box.queueless.pk]


def test_another_company_sees_nothing(ids: Ids, outsider: User, box: Inbox) -> None:
    assert ids(outsider, showAll="true") == []


def test_tags_are_all_of_and_users_any_of(
    ids: Ids, acme: Company, admin: User, agent: User, box: Inbox
) -> None:
    vip, late = make_tag(acme, name="VIP"), make_tag(acme, name="Atraso")
    for ticket, tag in ((box.mine, vip), (box.mine, late), (box.theirs, vip)):
        TicketTag.objects.create(ticket=ticket, tag=tag)
    assert ids(admin, showAll="true", tags=[vip.pk]) == [box.mine.pk, box.theirs.pk]
    assert ids(admin, showAll="true", tags=[vip.pk, late.pk]) == [box.mine.pk]
    assert ids(admin, showAll="true", tags=[]) == ids(admin, showAll="true")
    held = ids(admin, showAll="true", users=[agent.pk, box.colleague.pk], status="open")
    assert held == [box.mine.pk, box.theirs.pk, box.kept.pk]


def test_unread_ones_and_days_in_the_companys_zone(
    ids: Ids, agent: User, admin: User, box: Inbox
) -> None:
    Ticket.objects.filter(pk=box.pending.pk).update(unread_count=2)
    assert ids(agent, withUnreadMessages="true") == [box.pending.pk]
    # 1 a.m. in UTC is still the evening before in São Paulo.
    Ticket.objects.filter(pk=box.mine.pk).update(
        created_at=datetime(2026, 3, 2, 1, tzinfo=UTC),
        updated_at=datetime(2026, 3, 5, 12, tzinfo=UTC),
    )
    assert ids(agent, date="2026-03-01") == [box.mine.pk]
    assert ids(agent, date="2026-03-02") == []
    assert ids(agent, updatedAt="2026-03-05") == [box.mine.pk]
    assert ids(agent, date="2026-03-02T01:30:00Z") == [box.mine.pk]


@pytest.mark.parametrize(
    "text", ["maria", "MARIA", "jose maria", "5511988", "orcamento", "Orçamento para"]
)
def test_search_takes_name_number_and_text_whatever_accents_and_case(
    ids: Ids, acme: Company, agent: User, box: Inbox, text: str
) -> None:
    contact = make_contact(acme, name="José  María", number="5511988776655")
    ticket = make_ticket(acme, contact=contact, queue=box.pending.queue)
    make_message(ticket, body="Queria um orçamento\npara 100% da loja_1")
    assert ids(agent, searchParam=text) == [ticket.pk]


def test_search_takes_wildcards_as_they_are(ids: Ids, agent: User, box: Inbox) -> None:
    make_message(box.pending, body="ab7% de desconto")
    make_message(box.mine, body="ab7 por cento")
    assert ids(agent, searchParam="ab7%") == [box.pending.pk]
    assert ids(agent, searchParam="a_7") == []
    assert ids(agent, searchParam="ab7") == [box.mine.pk, box.pending.pk]


def test_a_common_word_is_found_as_well(
    client_for: ClientFor, agent: User, box: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.tickets.queries.search.RARE_MATCHES", 1)
    for ticket in (box.mine, box.pending, box.theirs):
        make_message(ticket, body="Bom dia!")
    body = client_for(agent).get("/api/tickets", {"searchParam": "bom dia"}).json()
    assert [row["id"] for row in body["tickets"]] == [box.mine.pk, box.pending.pk]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("queueIds", "[1,"),
        ("queueIds", "{}"),
        ("queueIds", '["a"]'),
        ("queueIds", "[true]"),
        ("tags", "1"),
        ("tags", "[99999999999999999999]"),
        ("users", "null"),
        ("status", "later"),
        ("withoutQueue", "maybe"),
        ("date", "yesterday"),
        ("date", "2026-02-31"),
        ("date", "9999-12-31"),
        ("updatedAt", "31/12/2026"),
        ("showAll", "perhaps"),
        ("withUnreadMessages", "2"),
        ("searchParam", "x" * 201),
        ("searchParam", "a\x00b"),
        ("pageNumber", "0"),
        ("pageNumber", "-1"),
        ("pageNumber", "x"),
    ],
)
@pytest.mark.parametrize("path", ["/api/tickets", "/api/tickets/counts"])
def test_a_bad_filter_is_refused_by_name(
    client_for: ClientFor, agent: User, path: str, field: str, value: str
) -> None:
    if field == "pageNumber" and path.endswith("counts"):
        return
    response = client_for(agent).get(path, {field: value})
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]


def test_a_page_holds_forty_and_tells_of_more(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, connection: Connection
) -> None:
    for _ in range(41):
        make_ticket(acme, queue=queue)
    client = client_for(agent)
    first = client.get("/api/tickets", {"pageNumber": 1}).json()
    second = client.get("/api/tickets/", {"pageNumber": 2}).json()
    assert (len(first["tickets"]), first["count"], first["hasMore"]) == (40, 41, True)
    assert (len(second["tickets"]), second["count"], second["hasMore"]) == (1, 41, False)
    beyond = client.get("/api/tickets", {"pageNumber": 3}).json()
    assert (beyond["tickets"], beyond["count"], beyond["hasMore"]) == ([], 41, False)


def test_a_large_count_is_kept_for_a_moment(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    queue: Queue,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counts, "LARGE_COUNT", 41)
    monkeypatch.setattr(counts, "_large_counts", {})
    for _ in range(41):
        make_ticket(acme, queue=queue)
    client = client_for(agent)
    assert client.get("/api/tickets").json()["count"] == 41
    make_ticket(acme, queue=queue)
    assert client.get("/api/tickets").json()["count"] == 41
    monkeypatch.setattr(counts, "_large_counts", {})
    assert client.get("/api/tickets").json()["count"] == 42


def test_a_page_takes_the_same_few_queries_however_many_rows(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    queue: Queue,
    box: Inbox,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_for(agent)
    with django_assert_num_queries(3):
        client.get("/api/tickets")
    for _ in range(60):
        ticket = make_ticket(acme, queue=queue)
        TicketTag.objects.create(ticket=ticket, tag=make_tag(acme))
    with django_assert_num_queries(4):
        assert len(client.get("/api/tickets").json()["tickets"]) == 40
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    everything = {
        "showAll": "true",
        "searchParam": "cliente",
        "date": timezone.now().isoformat(),
        "queueIds": f"[{queue.pk}]",
        "withoutQueue": "false",
    }
    with django_assert_num_queries(7):
        assert len(client.get("/api/tickets", everything).json()["tickets"]) == 40


def test_counts_take_the_lists_filters(
    client_for: ClientFor,
    agent: User,
    admin: User,
    box: Inbox,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(2):
        counts = client_for(agent).get("/api/tickets/counts").json()
    assert counts == {"open": 2, "pending": 1, "unread": 0}
    shown = client_for(admin).get("/api/tickets/counts", {"showAll": "true"}).json()
    assert shown == {"open": 3, "pending": 3, "unread": 0}


def test_a_row_carries_what_the_list_shows(
    client_for: ClientFor, acme: Company, agent: User, box: Inbox
) -> None:
    tag = make_tag(acme, name="VIP", is_kanban=True)
    TicketTag.objects.create(ticket=box.mine, tag=tag)
    message = make_message(box.mine, from_me=True, ack=3, media_type="image")
    Ticket.objects.filter(pk=box.mine.pk).update(latest_message=message, last_message="Foto")
    rows = client_for(agent).get("/api/tickets", {"status": "open"}).json()["tickets"]
    row = rows[0]
    assert row["contact"]["name"] == box.mine.contact.name
    assert row["queue"] == {"id": box.mine.queue_id, "name": "Vendas", "color": "#3E7BD6"}
    assert row["user"] == {"id": agent.pk, "name": "Bob"}
    assert row["whatsapp"] == {
        "id": box.mine.connection_id,
        "name": "Loja",
        "provider": "official",
        "status": "CONNECTED",
    }
    assert row["tags"] == [{"id": tag.pk, "name": "VIP", "color": tag.color, "kanban": 1}]
    assert (row["lastMessageFromMe"], row["lastMessageAck"]) == (True, 3)
    assert row["lastMessageMediaType"] == "image"
    assert row["updatedAt"].endswith("Z")
    assert rows[1]["tags"] == []
    assert (row["status"], row["uuid"]) == ("open", str(box.mine.uuid))
    assert row.keys() >= {
        *("id", "uuid", "status", "contact", "contactId", "user", "userId", "queue", "queueId"),
        *("whatsapp", "tags", "unreadMessages", "lastMessage", "updatedAt", "isGroup"),
        *("chatbot", "useIntegration", "promptId", "integrationId"),
    }


def test_reading_one_ticket_follows_the_rules_of_reading(
    client_for: ClientFor, acme: Company, agent: User, admin: User, outsider: User, box: Inbox
) -> None:
    def status(user: User, ticket: Ticket) -> tuple[int, int]:
        client = client_for(user)
        by_id = client.get(f"/api/tickets/{ticket.pk}")
        by_uuid = client.get(f"/api/tickets/u/{ticket.uuid}/")
        return by_id.status_code, by_uuid.status_code

    assert status(agent, box.mine) == (200, 200)
    assert status(agent, box.kept) == (200, 200)  # held, in a foreign queue
    assert status(agent, box.theirs) == (200, 200)  # a colleague's, in the own queue
    assert status(agent, box.elsewhere) == (403, 403)
    assert status(agent, box.queueless) == (403, 403)
    assert status(admin, box.queueless) == (200, 200)
    assert status(outsider, box.mine) == (404, 404)
    refusal = client_for(agent).get(f"/api/tickets/{box.elsewhere.pk}").json()
    assert (refusal["error"], refusal["message"]) == ("ERR_NO_PERMISSION", "Acesso não permitido")
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert status(agent, box.elsewhere) == (200, 200)


@pytest.mark.parametrize(
    "path", ["/api/tickets/99999999999999999999", f"/api/tickets/u/{'-' * 36}"]
)
def test_an_impossible_id_is_not_found(client_for: ClientFor, agent: User, path: str) -> None:
    response = client_for(agent).get(path)
    assert (response.status_code, response.json()["code"]) == (404, "ERR_NO_TICKET_FOUND")


def test_one_or_two_letters_find_contacts_alone(
    client_for: ClientFor, acme: Company, admin: User
) -> None:
    named = make_ticket(acme, contact=make_contact(acme, name="Zé Quito"))
    said = make_ticket(acme, contact=make_contact(acme, name="Ana"))
    make_message(said, body="zq, o quiosque")
    client = client_for(admin)
    for asked, found in {"zé": {named.pk}, "zq": set(), "zq,": {said.pk}}.items():
        page = client.get("/api/tickets", {"showAll": "true", "searchParam": asked}).json()
        assert {row["id"] for row in page["tickets"]} == found
