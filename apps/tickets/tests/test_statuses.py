from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus, Pricing
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.statuses import apply_statuses, may_be_ours
from tests.factories import make_connection, make_message, make_ticket


def apply_status(connection: Connection, status: InboundStatus) -> Message | None:
    changed, unknown = apply_statuses([(connection, status)])
    assert unknown == []
    return changed[0] if changed else None


@pytest.fixture
def ticket(acme: Company, connection: Connection) -> Ticket:
    return make_ticket(acme, connection=connection, status="open")


def sent(ticket: Ticket, ack: int = Ack.SENT, **fields: Any) -> Message:
    fields.setdefault("external_id", "wamid.A")
    return make_message(ticket, from_me=True, ack=ack, **fields)


def outbox_row(message: Message, state: str) -> Delivery:
    return Delivery.objects.create(
        company=message.company,
        connection_id=message.connection_id or 0,
        contact=message.contact,
        message=message,
        state=state,
        owner="someone",
    )


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        (Ack.SENT, Ack.SERVER, Ack.SERVER),
        (Ack.SENT, Ack.READ, Ack.READ),
        (Ack.READ, Ack.DELIVERED, Ack.READ),
        (Ack.READ, Ack.PLAYED, Ack.PLAYED),
        (Ack.PENDING, Ack.ERROR, Ack.ERROR),
        (Ack.SERVER, Ack.ERROR, Ack.ERROR),
        (Ack.DELIVERED, Ack.ERROR, Ack.DELIVERED),
        (Ack.ERROR, Ack.SERVER, Ack.ERROR),
        (Ack.ERROR, Ack.DELIVERED, Ack.DELIVERED),
    ],
)
def test_ticks_only_move_forward(
    ticket: Ticket, connection: Connection, before: int, after: int, result: int
) -> None:
    message = sent(ticket, before)
    apply_status(connection, InboundStatus("wamid.A", after))
    message.refresh_from_db()
    assert message.ack == result


def test_a_refusal_and_a_late_tick_are_figures_for_the_operator(
    ticket: Ticket, connection: Connection
) -> None:
    def figures() -> list[float]:
        names: list[tuple[str, dict[str, str]]] = [
            ("balcao_provider_errors_total", {"code": "131026"}),
            ("balcao_tick_seconds_count", {}),
            ("balcao_tick_seconds_bucket", {"le": "30.0"}),
        ]
        return [REGISTRY.get_sample_value(*each) or 0.0 for each in names]

    sent(ticket)
    before = figures()
    late = timezone.now() - timedelta(minutes=2)
    for _ in range(2):  # what comes again is no figure
        apply_status(connection, InboundStatus("wamid.A", -1, code="131026", at=late))
    assert figures() == [before[0] + 1, before[1] + 1, before[2]]


def test_a_failure_keeps_its_reason_and_proof_of_delivery_clears_it(
    ticket: Ticket, connection: Connection
) -> None:
    message = sent(ticket)
    apply_status(connection, InboundStatus("wamid.A", -1, error="Não está.", code="131026"))
    message.refresh_from_db()
    assert (message.error_code, message.error_reason) == ("131026", "Não está.")
    apply_status(connection, InboundStatus("wamid.A", Ack.DELIVERED))
    message.refresh_from_db()
    assert (message.error_code, message.error_reason) == ("", "")


def test_each_real_change_is_told_once(
    ticket: Ticket, connection: Connection, emitted: list[Any]
) -> None:
    message = sent(ticket)
    status = InboundStatus("wamid.A", Ack.READ)
    assert apply_status(connection, status) == message
    assert apply_status(connection, status) is None
    assert apply_status(connection, InboundStatus("wamid.A", Ack.DELIVERED)) is None
    assert [(event, payload["action"]) for event, payload in emitted] == [("appMessage", "update")]
    assert emitted[0][1]["message"]["ack"] == Ack.READ


def test_the_tickets_row_is_told_when_it_shows_the_message(
    ticket: Ticket, connection: Connection, emitted: list[Any]
) -> None:
    ticket.latest_message = sent(ticket)
    ticket.save()
    apply_status(connection, InboundStatus("wamid.A", Ack.READ))
    assert [event for event, _ in emitted] == ["appMessage", "ticket"]
    assert emitted[1][1]["ticket"]["lastMessageAck"] == Ack.READ


@pytest.mark.parametrize("state", ["sending", "unknown", "waiting"])
def test_our_own_id_settles_a_send_whose_outcome_is_open(
    ticket: Ticket, connection: Connection, state: str
) -> None:
    message = sent(ticket, Ack.PENDING, external_id=None)
    row = outbox_row(message, state)
    status = InboundStatus("wamid.new", Ack.SERVER, callback_id=str(message.callback_id))
    apply_status(connection, status)
    message.refresh_from_db()
    row.refresh_from_db()
    assert (message.external_id, message.ack) == ("wamid.new", Ack.SERVER)
    assert (row.state, row.owner) == (LeaseState.DONE, "")


def test_a_failure_settles_it_as_failed(ticket: Ticket, connection: Connection) -> None:
    message = sent(ticket, Ack.PENDING, external_id=None)
    row = outbox_row(message, "unknown")
    callback_id = str(message.callback_id)
    apply_status(connection, InboundStatus("w", -1, callback_id=callback_id, error="Recusada."))
    row.refresh_from_db()
    assert (row.state, row.last_error) == (LeaseState.FAILED, "Recusada.")


def test_what_is_said_of_an_earlier_attempt_changes_nothing(
    ticket: Ticket, connection: Connection
) -> None:
    message = sent(ticket, external_id="wamid.second")
    callback_id = str(message.callback_id)
    assert apply_status(connection, InboundStatus("wamid.first", -1, callback_id)) is None
    message.refresh_from_db()
    assert (message.ack, message.external_id) == (Ack.SENT, "wamid.second")


@pytest.mark.parametrize(("callback_id", "is_possible"), [("", True), ("not-ours", False)])
def test_an_unknown_message_may_be_one_on_its_way(
    ticket: Ticket, connection: Connection, callback_id: str, is_possible: bool
) -> None:
    outbox_row(sent(ticket, Ack.PENDING, external_id=None), "sending")
    _, unknown = apply_statuses([(connection, InboundStatus("wamid.x", Ack.SERVER, callback_id))])
    assert bool(may_be_ours(unknown)) is is_possible


def test_another_connections_status_finds_nothing(ticket: Ticket, globex: Company) -> None:
    message = sent(ticket, Ack.PENDING)
    other = make_connection(globex)
    reported = (other, InboundStatus("wamid.A", Ack.READ, str(message.callback_id)))
    assert apply_statuses([reported]) == ([], [reported])


def test_a_received_message_has_no_ticks(ticket: Ticket, connection: Connection) -> None:
    message = make_message(ticket, external_id="wamid.in")
    assert apply_status(connection, InboundStatus("wamid.in", Ack.READ)) is None
    message.refresh_from_db()
    assert message.ack == Ack.PENDING


def test_a_price_that_comes_with_a_step_we_know_is_kept(
    connection: Connection, ticket: Ticket
) -> None:
    sent(ticket, ack=Ack.DELIVERED)
    paid = Pricing(is_billable=True, category="UTILITY", model="PMP", type="regular")
    apply_status(connection, InboundStatus("wamid.A", Ack.SERVER, pricing=paid))
    kept = Message.objects.get()
    assert kept.ack == Ack.DELIVERED
    told = {"billable": True, "category": "UTILITY", "model": "PMP", "type": "regular"}
    assert kept.pricing == told
    apply_status(connection, InboundStatus("wamid.A", Ack.READ))
    assert Message.objects.get().pricing == told
    assert apply_status(connection, InboundStatus("wamid.A", Ack.READ, pricing=paid)) is None
