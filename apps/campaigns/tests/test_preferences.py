"""Who stops marketing messages at Meta, and whom Meta spares them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.campaigns.models import CampaignRecipient, ContactListItem, OptOut
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import answer, provider_takes_all, settings, states
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.tickets.models import Message
from tests.factories import make_connection, make_contact

pytestmark = pytest.mark.django_db
FIRST = "5511984321100"
Told = Callable[..., None]


def notification(field: str, **parts: Any) -> dict[str, Any]:
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"phone_number_id": "100000000000009"},
        **parts,
    }
    return {"entry": [{"id": "2", "changes": [{"field": field, "value": value}]}]}


def preference(value: str, **fields: str) -> dict[str, Any]:
    return {
        **({} if "user_id" in fields else {"wa_id": FIRST}),
        "detail": f"User requested to {value} marketing messages",
        "category": "marketing_messages",
        "value": value,
        "timestamp": 1731705721,
        **fields,
    }


@pytest.fixture
def official(acme: Company) -> Connection:
    return make_connection(acme, name="Oficial")


@pytest.fixture
def told(official: Connection) -> Told:
    """Have Meta tell something, and handle it."""

    def tell(field: str, **parts: Any) -> None:
        for _, notice in notices(notification(field, **parts)):
            event = InboundEvent.objects.create(
                connection=official,
                event_id=f"{notice.event_id}-{InboundEvent.objects.count()}",
                kind=notice.kind,
                partition=notice.partition,
                payload=notice.payload,
                next_attempt_at=timezone.now(),
            )
            assert process_due(limit=10) == 1
            event.refresh_from_db()
            assert event.state == "done", event.last_error

    return tell


def test_who_stops_is_left_out_and_who_resumes_is_not(clock: Clock, due: Make, told: Told) -> None:
    campaign = due()
    send_due(limit=10)
    told("user_preferences", user_preferences=[preference("stop")])
    assert OptOut.objects.get().source == "meta"
    assert states(campaign) == ["skipped", "pending", "pending"]
    told("user_preferences", user_preferences=[preference("resume")])
    assert not OptOut.objects.exists()
    another = due()
    send_due(limit=10)
    assert states(another) == ["pending"] * 3


def test_the_leaving_goes_to_the_account_of_the_campaign_that_was_sent_last(
    clock: Clock, acme: Company, due: Make, told: Told
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    due()
    latest = due()
    send_due(limit=10)
    send_due(limit=10)
    told("user_preferences", user_preferences=[preference("stop")])
    assert OptOut.objects.get().campaign == latest


def test_a_word_is_not_taken_back_by_meta(
    clock: Clock, acme: Company, qr: Connection, due: Make, told: Told
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    due()
    send_due(limit=10)
    send_due(limit=10)
    provider_takes_all()
    told("user_preferences", user_preferences=[preference("stop")])
    answer(qr, FIRST, "SAIR")
    assert Message.objects.filter(source="bot", body__startswith="Pronto!").count() == 1
    told("user_preferences", user_preferences=[preference("resume")])
    assert OptOut.objects.get().source == "word"


def test_somebody_without_a_number_is_known_by_the_user_id(acme: Company, told: Told) -> None:
    make_contact(acme, number=FIRST, user_id="BR.1349")
    longest = f"BR.ENT.{'9' * 128}"
    people = [preference("stop", user_id=name) for name in ("BR.1349", "BR.9", longest)]
    told("user_preferences", user_preferences=people)
    out = sorted(OptOut.objects.values_list("canonical_number", flat=True))
    assert out == sorted([FIRST, "lid:BR.9", f"lid:{longest}"])


@pytest.mark.parametrize(
    "entries",
    [
        "stop",
        [],
        ["stop"],
        [preference("pause")],
        [preference("stop", category="utility_messages")],
        [preference("stop", wa_id="")],
    ],
)
def test_what_says_nothing_of_marketing_changes_nothing(entries: Any) -> None:
    body = notification("user_preferences", user_preferences=entries)
    for _, notice in notices(body):
        assert parse_notice(notice.kind, notice.payload) is None


@pytest.mark.parametrize(
    ("code", "reason", "leaves"),
    [
        (131026, "not_reachable", False),
        (131049, "kept_back", False),
        (131050, "marketing_stopped", True),
    ],
)
def test_whom_meta_spares_it_fails_alone(
    clock: Clock,
    acme: Company,
    official: Connection,
    due: Make,
    told: Told,
    code: int,
    reason: str,
    leaves: bool,
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    campaign = due()
    send_due(limit=10)
    send_due(limit=10)
    provider_takes_all()
    message = Message.objects.earliest("id")
    Message.objects.filter(pk=message.pk).update(connection=official)
    status = {
        "id": message.external_id,
        "status": "failed",
        "timestamp": "1763690500",
        "recipient_id": FIRST,
        "errors": [{"code": code, "title": "kept back"}],
    }
    told("messages", statuses=[status])
    failed = CampaignRecipient.objects.get(campaign=campaign, state="failed")
    assert (failed.canonical_number, failed.reason_code) == (FIRST, reason)
    assert failed.error_code == str(code)
    official.refresh_from_db()
    assert (official.status, official.sends_paused_until) == ("CONNECTED", None)
    assert OptOut.objects.filter(source="meta", campaign=campaign).exists() is leaves
    # The next campaign leaves out whom Meta can't reach.
    unreachable = ContactListItem.objects.filter(is_whatsapp_valid=False)
    numbers = list(unreachable.values_list("canonical_number", flat=True))
    assert numbers == ([FIRST] if reason == "not_reachable" else [])
