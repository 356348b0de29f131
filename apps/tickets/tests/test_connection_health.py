"""/whatsapp/{id}/health: last messages, failures, waiting sends, and Meta's figures."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.services import note_begun
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault, graph_server
from apps.tickets.models import Ack, Delivery, Message
from conftest import ClientFor
from tests.factories import make_connection, make_message, make_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, verified_at=timezone.now(), waba_id="200000000000777")


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    with graph_server() as server:
        settings.GRAPH_API_URL, settings.GRAPH_API_VERSION = server.url, VERSION
        yield server


@pytest.fixture
def health(client_for: ClientFor, admin: User, number: Connection) -> Any:
    """Return a function that reads it as acme's admin."""

    def read() -> dict[str, Any]:
        answer = client_for(admin).get(f"/api/whatsapp/{number.pk}/health")
        assert answer.status_code == 200, answer.content
        shown: dict[str, Any] = answer.json()
        return shown

    return read


def test_a_new_number_has_nothing_to_show(health: Any, number: Connection) -> None:
    shown = health()
    assert shown["id"] == number.pk
    empty = ("lastInAt", "lastOutAt", "lastOutAck", "waitingSince", "qualityAt", "messagingLimit")
    assert [shown[key] for key in empty] == [None] * 6
    assert (shown["failed"], shown["failures"], shown["waiting"], shown["alerts"]) == (0, [], 0, [])


def test_the_last_messages_are_the_numbers_own(
    health: Any, acme: Company, number: Connection
) -> None:
    ticket = make_ticket(acme, connection=number)
    elsewhere = make_ticket(acme, connection=make_connection(acme))
    now = timezone.now()
    for minutes, mine in ((30, False), (20, True), (10, False)):
        at = now - timedelta(minutes=minutes)
        make_message(ticket, from_me=mine, created_at=at, ack=Ack.READ)
    make_message(elsewhere, from_me=True, created_at=now)
    shown = health()
    assert (shown["lastInAt"] > shown["lastOutAt"], shown["lastOutAck"]) == (True, Ack.READ)


def test_what_failed_in_a_day_is_counted_by_reason(
    health: Any, acme: Company, number: Connection
) -> None:
    ticket = make_ticket(acme, connection=number)
    failed = {"from_me": True, "ack": Ack.ERROR}
    for _ in range(2):
        make_message(ticket, **failed, reason_code="not_reachable", error_reason="Não está.")
    make_message(ticket, **failed, reason_code="refused", reason_detail="Odd", error_reason="Odd")
    make_message(ticket, from_me=True, ack=Ack.READ)
    old = timezone.now() - timedelta(hours=25)
    make_message(ticket, **failed, reason_code="timeout", created_at=old)
    shown = health()
    assert shown["failed"] == 3
    assert shown["failures"] == [
        {
            "reasonCode": "not_reachable",
            "reasonDetail": "",
            "sentence": "Não está.",
            "count": 2,
        },
        {"reasonCode": "refused", "reasonDetail": "Odd", "sentence": "Odd", "count": 1},
    ]


def test_what_waits_is_counted_since_its_oldest(
    health: Any, acme: Company, number: Connection
) -> None:
    ticket = make_ticket(acme, connection=number)
    for state in ("waiting", "unknown", "done", "failed"):
        Delivery.objects.create(
            company=acme,
            connection=number,
            contact=ticket.contact,
            message=make_message(ticket, from_me=True),
            state=state,
        )
    shown = health()
    assert shown["waiting"] == 2
    assert shown["waitingSince"] is not None


def test_the_number_of_queries_does_not_grow(
    health: Any, acme: Company, number: Connection, django_assert_max_num_queries: Any
) -> None:
    ticket = make_ticket(acme, connection=number)
    for place in range(12):
        make_message(ticket, from_me=True, ack=Ack.ERROR, reason_code=f"reason_{place}")
    health()
    with django_assert_max_num_queries(9):
        shown = health()
    assert (shown["failed"], len(shown["failures"])) == (12, 10)


def test_asking_meta_first_shows_its_figures(
    client_for: ClientFor, admin: User, number: Connection, graph: GraphServer
) -> None:
    graph.answers = [
        Answer({"quality_rating": "YELLOW", "whatsapp_business_manager_messaging_limit": "TIER_1K"})
    ]
    shown = client_for(admin).post(f"/api/whatsapp/{number.pk}/health").json()
    assert (shown["qualityRating"], shown["messagingLimit"]) == ("YELLOW", 1000)
    assert shown["qualityAt"] and shown["messagingLimitAt"]
    graph.answers = [fault(190, status=401)]
    answer = client_for(admin).post(f"/api/whatsapp/{number.pk}/health")
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_FIGURES_UNAVAILABLE")
    assert answer.json()["reasonCode"] == "credentials_refused"


def test_of_a_qr_session_nobody_is_asked(
    client_for: ClientFor, admin: User, acme: Company, graph: GraphServer
) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA)
    answer = client_for(admin).post(f"/api/whatsapp/{session.pk}/health")
    assert (answer.status_code, answer.json()["qualityRating"], graph.calls) == (200, "", [])


def test_the_foreign_key_has_no_index_beside_the_wider_one() -> None:
    with database.cursor() as cursor:
        found = database.introspection.get_constraints(cursor, Message._meta.db_table)
    indexes = [each["columns"] for each in found.values() if each["index"]]
    begun = [columns for columns in indexes if columns[:1] == ["connection_id"]]
    assert ["connection_id", "from_me", "created_at"] in begun
    assert ["connection_id"] not in begun


def test_the_portfolio_and_the_other_numbers_are_shown(
    health: Any, acme: Company, globex: Company, number: Connection
) -> None:
    Connection.objects.filter(pk=number.pk).update(
        portfolio_name="Loja da Ana",
        business_verification="verified",
        business_verification_at=timezone.now(),
    )
    other = make_connection(acme, name="Vendas", number="551133334444")
    stranger = make_connection(globex)
    own = [number.pk, other.pk, stranger.pk]
    Connection.objects.filter(pk__in=own).update(portfolio_id="9")
    note_begun([(other.pk, 2**40, 1), (number.pk, 2**40, 2), (number.pk, 2**41, 3)])
    ticket = make_ticket(acme, connection=other)
    message = make_message(ticket, from_me=True, ack=Ack.PENDING)
    Delivery.objects.create(company=acme, connection=other, contact=ticket.contact, message=message)
    shown = health()
    assert (shown["portfolioId"], shown["portfolioName"]) == ("9", "Loja da Ana")
    assert shown["businessVerification"] == "verified"
    assert shown["businessVerificationAt"]
    assert shown["portfolioNumbers"] == [
        {"id": other.pk, "name": "Vendas", "number": "551133334444"}
    ]
    assert shown["portfolioUsed"] == 3


def test_a_qr_session_has_no_portfolio(health: Any, number: Connection) -> None:
    Connection.objects.filter(pk=number.pk).update(provider=ProviderKind.BETA)
    shown = health()
    assert (shown["portfolioNumbers"], shown["portfolioUsed"]) == ([], None)
