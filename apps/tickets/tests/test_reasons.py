from typing import Any

import pytest

from apps.common.reasons import Reason, ReasonCode
from apps.connections.models import Connection
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import InboundStatus
from apps.connections.providers.official.errors import FAULTS, error_from_answer, reason_of
from apps.tickets.models import Ack, Message, Ticket
from apps.tickets.serializers.messages import message_row
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.tests.test_deliveries import queue_up, ticket  # noqa: F401
from tests.graph import GraphServer, graph_error


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_every_fault_that_we_know_has_its_own_name(code: int) -> None:
    error = error_from_answer(400, {"error": {"code": code, "message": "In English."}})
    assert isinstance(error, ProviderError)
    assert error.reason == Reason(FAULTS[code].reason) == reason_of(code, "In English.")
    assert error.reason.code != ReasonCode.REFUSED


@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        (131026, "not_reachable", ""),
        (131047, "window_closed", ""),
        (131062, "template_needs_number", ""),
        (132999, "template_refused", "Fault 132999"),
        (999999, "refused", "Fault 999999"),
    ],
)
def test_a_refused_message_keeps_why(
    ticket: Ticket,  # noqa: F811
    graph: GraphServer,
    code: int,
    reason: str,
    detail: str,
) -> None:
    message = queue_up(ticket, "Olá").message
    graph.fault = lambda _: graph_error(code)
    deliver_due(limit=10)
    row = message_row(message)
    assert row["ack"] == Ack.ERROR
    assert (row["errorCode"], row["reasonCode"], row["reasonDetail"]) == (str(code), reason, detail)


def test_what_a_status_reports_is_kept_until_the_message_arrives(
    ticket: Ticket,  # noqa: F811
    connection: Connection,
) -> None:
    message = queue_up(ticket, "Olá").message
    Message.objects.filter(pk=message.pk).update(external_id="wamid.A", ack=Ack.SENT)
    told = Reason(ReasonCode.REFUSED, "Odd thing")
    failed = InboundStatus("wamid.A", -1, error="A Meta recusou.", code="9", reason=told)
    apply_statuses([(connection, failed)])
    row: dict[str, Any] = message_row(message)
    assert (row["reasonCode"], row["reasonDetail"]) == ("refused", "Odd thing")
    apply_statuses([(connection, InboundStatus("wamid.A", 3))])
    row = message_row(message)
    assert (row["reasonCode"], row["reasonDetail"]) == ("", "")
