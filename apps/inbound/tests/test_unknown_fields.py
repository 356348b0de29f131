"""Meta's notifications of a field that nothing reads: kept, counted, shown, never guessed at."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.tests.meta import ACCOUNT, METADATA, NUMBER, handle, tell
from apps.tickets.models import Message, Ticket
from tests import factories

TEXT = {"from": "5511999990001", "id": "wamid.A", "type": "text", "text": {"body": "Oi"}}
NOVELTY = {
    "field": "messages_of_2027",
    "value": {
        "messaging_product": "whatsapp",
        "metadata": METADATA,
        "contacts": [{"profile": {"name": "Ana"}, "wa_id": "5511999990001"}],
        "messages": [TEXT],
        "statuses": [{"id": "wamid.B", "status": "read", "recipient_id": "5511999990001"}],
    },
}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _app(settings: Any) -> None:
    settings.META_APP_SECRET = "app-secret"


@pytest.fixture
def number(acme: Company) -> Connection:
    return factories.make_connection(acme, phone_number_id=NUMBER, waba_id=ACCOUNT)


def counted(client: Client, field: str) -> float:
    lines = client.get("/metrics").content.decode().splitlines()
    wanted = f'balcao_webhook_notices_total{{field="{field}"}} '
    return sum(float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted))


def test_it_is_kept_whole_and_nothing_moves(number: Connection) -> None:
    tell(NOVELTY)
    tell(NOVELTY)
    handle()
    event = InboundEvent.objects.get()
    assert (event.connection, event.kind, event.attempts) == (number, "unknown", 1)
    assert event.payload["change"] == NOVELTY
    assert not Message.objects.exists() and not Ticket.objects.exists()


def test_what_stands_beside_it_is_handled(number: Connection) -> None:
    value = {"metadata": METADATA, "messages": [{**TEXT, "id": "wamid.C"}]}
    tell(NOVELTY, {"field": "messages", "value": value}, {"field": "x", "value": [1]})
    handle()
    assert Message.objects.get().external_id == "wamid.C"
    kinds = InboundEvent.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["unknown", "message", "unknown"]


def test_without_a_number_it_belongs_to_the_account(number: Connection) -> None:
    tell({"field": "novelty", "value": {"event": "NEW"}})
    assert InboundEvent.objects.get().connection == number


def test_of_nobody_here_it_is_kept_once_and_never_handled(number: Connection) -> None:
    strange = {"field": "novelty", "value": {"metadata": {"phone_number_id": "999999999999999"}}}
    for _ in range(2):
        tell(strange, account="999999999999998")
    event = InboundEvent.objects.get()
    assert (event.connection, event.state) == (None, LeaseState.DONE)
    assert event.payload["change"] == strange
    assert process_due(limit=10) == 0


def test_it_is_counted_apart_from_the_known_ones(number: Connection, client: Client) -> None:
    before = [counted(client, field) for field in ("unknown", "messages", "messages_of_2027")]
    value = {"metadata": METADATA, "messages": [{**TEXT, "id": "wamid.C"}]}
    tell(NOVELTY, {"field": "messages", "value": value})
    after = [counted(client, field) for field in ("unknown", "messages", "messages_of_2027")]
    assert [new - old for new, old in zip(after, before, strict=True)] == [1, 1, 0]


def test_the_operator_finds_it_in_the_admin(
    number: Connection, super_user: User, client: Client
) -> None:
    strange = {"field": "of_nobody", "value": {"metadata": {"phone_number_id": "9"}}}
    tell(NOVELTY, strange)
    client.force_login(super_user)
    page = client.get("/admin/inbound/inboundevent/?kind=unknown").content.decode()
    assert "messages_of_2027" in page and "of_nobody" in page
    event = InboundEvent.objects.get(connection=number)
    page = client.get(f"/admin/inbound/inboundevent/{event.pk}/change/").content.decode()
    assert "wamid.A" in page
