"""Customers who ring: the webhook, hanging up on either side."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.connections.providers.inbound import InboundCall
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.simulator.models import SimConversation, SimMessage, SimWebhook
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph, webhook_values

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("conversation")]


def post(path: str, **body: Any) -> Any:
    return Client().post(f"/simulator/api/{path}", body, content_type="application/json")


def ring(*, video: bool = False) -> dict[str, Any]:
    answer = post("call", number=NUMBER, customer=CUSTOMER, video=video)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


@pytest.mark.parametrize("video", [False, True])
def test_the_business_reads_who_rings(video: bool) -> None:
    call = ring(video=video)
    assert call["body"] == {"state": "ringing", "video": video}
    [stored] = SimWebhook.objects.all()
    body = json.loads(stored.body)
    assert body["entry"][0]["changes"][0]["field"] == "calls"
    [(number, notice)] = notices(body)
    read = parse_notice(notice.kind, notice.payload)
    assert isinstance(read, InboundCall)
    assert (number, read.call_id, read.sender) == (NUMBER, call["id"], CUSTOMER)
    assert read.is_video is video


def test_the_business_hangs_up_once(graph: Graph, conversation: SimConversation) -> None:
    call = ring()
    body = {"messaging_product": "whatsapp", "call_id": call["id"], "action": "reject"}
    assert graph.post(f"{NUMBER}/calls", body).status_code == 200
    assert SimMessage.objects.get().body["state"] == "rejected"
    assert webhook_values()[-1]["calls"][0]["event"] == "terminate"
    assert graph.post(f"{NUMBER}/calls", body).status_code == 400
    assert graph.post("100000000000009/calls", {**body, "call_id": "x"}).status_code == 400
    assert graph.post(f"{NUMBER}/calls", {**body, "action": "accept"}).status_code == 400


def test_the_customer_gives_up(graph: Graph) -> None:
    call = ring()
    assert post("hang-up", message=call["id"]).json()["body"]["state"] == "ended"
    assert post("hang-up", message=call["id"]).status_code == 404
    body = {"messaging_product": "whatsapp", "call_id": call["id"], "action": "reject"}
    assert graph.post(f"{NUMBER}/calls", body).status_code == 400


def test_who_rings_may_be_answered_freely(graph: Graph, conversation: SimConversation) -> None:
    SimConversation.objects.update(last_customer_at=None)
    assert graph.send().status_code == 400
    ring()
    assert graph.send().status_code == 200
