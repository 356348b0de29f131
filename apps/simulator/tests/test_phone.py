"""A number that stays in its phone's app: what the phone tells, as the product reads it."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.common.reasons import ReasonCode
from apps.connections.providers.inbound import (
    InboundAccount,
    InboundAddresses,
    InboundHistory,
    InboundMessage,
)
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.simulator.models import FaultKind, SimWebhook
from apps.simulator.services import faults
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("conversation")]


def read() -> list[Any]:
    """Return what the product reads of all stored webhooks."""
    bodies = [json.loads(each.body) for each in SimWebhook.objects.order_by("pk")]
    return [
        parse_notice(notice.kind, notice.payload)
        for body in bodies
        for number, notice in notices(body)
        if number == NUMBER
    ]


def test_the_past_comes_in_chunks_out_of_order_and_repeated(graph: Graph) -> None:
    answer = graph.post(f"{NUMBER}/smb_app_data", {"sync_type": "history"})
    assert answer.status_code == 200 and answer.json()["request_id"]
    parts = [each for each in read() if isinstance(each, InboundHistory)]
    assert [part.phase for part in parts] == [1, 0, 0, 2]
    assert [part.progress for part in parts] == [25, 50, 75, 100]
    assert parts[1].messages == parts[2].messages
    told = [message for part in parts for message in part.messages]
    assert {message.sender for message in told} == {CUSTOMER}
    assert {message.from_me for message in told} == {True, False}
    assert len({message.external_id for message in told}) == 18


def test_the_address_book_is_told(graph: Graph) -> None:
    graph.post(f"{NUMBER}/smb_app_data", {"sync_type": "smb_app_state_sync"})
    (book,) = read()
    assert isinstance(book, InboundAddresses)
    assert [(each.number, each.name) for each in book.entries] == [
        (CUSTOMER, "Mariana Albuquerque")
    ]


def test_each_question_is_taken_once_until_the_number_is_signed_up_anew(graph: Graph) -> None:
    for kind in ("history", "smb_app_state_sync"):
        assert graph.post(f"{NUMBER}/smb_app_data", {"sync_type": kind}).status_code == 200
        told = SimWebhook.objects.count()
        refused = graph.post(f"{NUMBER}/smb_app_data", {"sync_type": kind})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, 100)
        assert SimWebhook.objects.count() == told
    answer = Client().post(
        "/simulator/api/disconnect", {"number": NUMBER}, content_type="application/json"
    )
    assert answer.status_code == 200
    ((_, notice),) = notices(json.loads(SimWebhook.objects.latest("pk").body))
    report = parse_notice(notice.kind, notice.payload)
    assert isinstance(report, InboundAccount) and report.reason.code == ReasonCode.ACCESS_REMOVED
    assert graph.post(f"{NUMBER}/smb_app_data", {"sync_type": "history"}).status_code == 200


def test_a_silent_phone_takes_the_question_and_tells_nothing(graph: Graph) -> None:
    faults.set_fault(kind=FaultKind.PHONE_SILENT)
    assert graph.post(f"{NUMBER}/smb_app_data", {"sync_type": "history"}).status_code == 200
    assert read() == []


def test_another_kind_is_refused(graph: Graph) -> None:
    assert graph.post(f"{NUMBER}/smb_app_data", {"sync_type": "photos"}).status_code == 400


def test_what_is_written_on_the_phone_comes_as_an_echo() -> None:
    body = {"number": NUMBER, "customer": CUSTOMER, "body": "Do balcão"}
    answer = Client().post("/simulator/api/echo", body, content_type="application/json")
    assert answer.status_code == 200
    (message,) = read()
    assert isinstance(message, InboundMessage)
    assert (message.from_me, message.sender, message.body) == (True, CUSTOMER, "Do balcão")
