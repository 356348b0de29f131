"""Asking a phone that stays in use: once each, and never again while nobody knows."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, PhoneSync, ProviderKind
from apps.connections.providers.inbound import InboundHistory
from apps.connections.tests.graph import Answer, GraphServer, fault
from conftest import ClientFor
from tests import factories

pytestmark = pytest.mark.django_db
ASKED = Answer({"messaging_product": "whatsapp", "request_id": "req1"})


@pytest.fixture
def number(acme: Company, graph: GraphServer) -> Connection:
    return factories.make_connection(
        acme,
        provider=ProviderKind.OFFICIAL,
        verified_at=timezone.now(),
        is_coexistence=True,
        signed_up_at=timezone.now(),
    )


def outcomes() -> list[tuple[str, str]]:
    return list(PhoneSync.objects.order_by("kind").values_list("kind", "outcome"))


def asked(graph: GraphServer) -> list[str]:
    return [call.json["sync_type"] for call in graph.calls if call.path.endswith("/smb_app_data")]


def due_again() -> None:
    PhoneSync.objects.unfinished().update(next_attempt_at=timezone.now())


def test_a_signup_with_the_phone_asks_once_for_each(number: Connection, graph: GraphServer) -> None:
    graph.answers = [ASKED]
    services.signed_up(number)
    for _ in range(3):
        services.ask_due(limit=10)
    assert asked(graph) == ["smb_app_state_sync", "history"]
    assert outcomes() == [("contacts", "asked"), ("history", "asked")]
    assert set(PhoneSync.objects.values_list("request_id", flat=True)) == {"req1"}


def test_a_number_without_its_phone_is_asked_for_nothing(
    number: Connection, graph: GraphServer
) -> None:
    number.is_coexistence = False
    services.signed_up(number)
    assert not PhoneSync.objects.exists()


def test_a_lost_answer_is_never_asked_again_by_itself(
    number: Connection, graph: GraphServer, admin: User, client_for: ClientFor
) -> None:
    graph.answers = [Answer(drops=True)]
    services.signed_up(number)
    services.ask_due(limit=10)
    due_again()
    services.ask_due(limit=10)
    assert len(asked(graph)) == 2
    assert outcomes() == [("contacts", "unclear"), ("history", "unclear")]
    graph.answers = [ASKED]
    path = f"/api/whatsapp/{number.pk}/phone"
    assert client_for(admin).post(path, {"kind": "history"}, format="json").status_code == 200
    services.ask_due(limit=10)
    assert asked(graph)[2:] == ["history"]
    assert outcomes() == [("contacts", "unclear"), ("history", "asked")]
    assert client_for(admin).post(path, {"kind": "history"}, format="json").status_code == 409


def test_a_worker_that_dies_while_asking_leaves_it_unclear(
    number: Connection, graph: GraphServer
) -> None:
    services.signed_up(number)
    PhoneSync.objects.update(
        state=LeaseState.SENDING,
        attempts=1,
        owner="dead#1",
        lease_expires_at=timezone.now() - timedelta(seconds=1),
    )
    services.ask_due(limit=10)
    due_again()
    services.ask_due(limit=10)
    assert asked(graph) == []
    assert outcomes() == [("contacts", "unclear"), ("history", "unclear")]
    assert not PhoneSync.objects.unfinished().exists()


def test_what_meta_did_not_take_is_asked_later_until_the_day_is_over(
    number: Connection, graph: GraphServer
) -> None:
    graph.answers = [fault(4, status=400)]
    services.signed_up(number)
    services.ask_due(limit=10)
    assert outcomes() == [("contacts", "waiting"), ("history", "waiting")]
    number.signed_up_at = timezone.now() - timedelta(hours=25)
    number.save()
    due_again()
    services.ask_due(limit=10)
    assert outcomes() == [("contacts", "expired"), ("history", "expired")]
    assert len(asked(graph)) == 2


@pytest.mark.parametrize(
    "answer",
    [
        fault(1, status=500),
        fault(2, status=503),
        fault(131000, status=500),
        Answer(b"Bad Gateway", status=502),
        Answer(b"", status=503),
        Answer(b"", status=504),
    ],
)
def test_a_fault_that_does_not_say_it_was_not_taken_is_not_asked_again(
    number: Connection, graph: GraphServer, answer: Answer
) -> None:
    graph.answers = [answer]
    services.signed_up(number)
    services.ask_due(limit=10)
    due_again()
    services.ask_due(limit=10)
    assert len(asked(graph)) == 2
    assert outcomes() == [("contacts", "unclear"), ("history", "unclear")]


@pytest.mark.parametrize("answer", [fault(80007, status=400), Answer(b"", status=429)])
def test_a_limit_of_calls_is_waited_for(
    number: Connection, graph: GraphServer, answer: Answer
) -> None:
    graph.answers = [answer]
    services.signed_up(number)
    services.ask_due(limit=10)
    assert outcomes() == [("contacts", "waiting"), ("history", "waiting")]
    graph.answers = [ASKED]
    due_again()
    services.ask_due(limit=10)
    assert outcomes() == [("contacts", "asked"), ("history", "asked")]


def test_a_refusal_is_shown_with_its_words(
    number: Connection, graph: GraphServer, admin: User, client_for: ClientFor
) -> None:
    graph.answers = [fault(100)]
    services.signed_up(number)
    services.ask_due(limit=10)
    shown = client_for(admin).get(f"/api/whatsapp/{number.pk}/health").json()["phone"]
    assert [(each["kind"], each["state"]) for each in shown] == [
        ("contacts", "failed"),
        ("history", "failed"),
    ]
    assert all(each["sentence"] and each["reasonCode"] for each in shown)


def test_chunks_in_any_order_show_the_furthest_and_are_told_seldom(
    number: Connection, emitted: list[Any]
) -> None:
    for progress, phase in ((10, 0), (55, 1), (30, 1), (55, 1)):
        services.note_history(number, InboundHistory(phase=phase, progress=progress), count=5)
    sync = PhoneSync.objects.get()
    assert (sync.outcome, sync.progress, sync.phase, sync.received_count) == ("running", 55, 1, 20)
    assert (
        len(
            [
                each
                for each in emitted
                if each[0] == f"company-{number.company_id}-whatsapp" or each[0] == "whatsapp"
            ]
        )
        == 1
    )
    services.note_history(number, InboundHistory(phase=2, progress=100), count=1)
    services.note_history(number, InboundHistory(phase=1, progress=60), count=1)
    sync.refresh_from_db()
    assert (sync.outcome, sync.progress, sync.phase) == ("finished", 100, 2)
    assert sync.state == LeaseState.DONE


def test_who_shares_nothing_is_said_so(number: Connection) -> None:
    services.note_history(number, InboundHistory(is_declined=True, error="Declined"), count=0)
    assert outcomes() == [("history", "declined")]
