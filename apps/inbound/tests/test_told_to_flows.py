"""What a flow is told of a provider's own notification, as `raw` (rules/automation §3)."""

import time
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.test.utils import override_settings

from apps.automation.models import QueueIntegration
from apps.automation.tests.wire import WireServer, wire_server
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.services.storing import store_notices
from apps.tickets.models import BotTurn
from apps.tickets.services.bot.turn_worker import take_due
from tests.factories import make_connection, make_integration
from tests.gateway import SECRET, commit, lease, make_qr_connection, message_event

pytestmark = pytest.mark.django_db
NUMBER = "5511999990000"


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


@pytest.fixture
def flow(acme: Company, server: WireServer) -> QueueIntegration:
    return make_integration(acme, type="n8n", url=f"{server.url}/hook")


@pytest.fixture
def official(acme: Company, flow: QueueIntegration) -> Connection:
    return make_connection(
        acme, integration=flow, phone_number_id="100000000000009", waba_id="200000000000009"
    )


def notification(*people: dict[str, Any], **entry: Any) -> dict[str, Any]:
    """Return a notification in which each of the people wrote once."""
    value = {
        "messaging_product": "whatsapp",
        "metadata": {
            "display_phone_number": "+55 11 3333-4444",
            "phone_number_id": "100000000000009",
        },
        "contacts": list(people),
        "messages": [
            {
                "from_user_id": person["user_id"],
                "id": f"wamid.{place}",
                "timestamp": str(int(time.time())),
                "type": "text",
                "text": {"body": "Oi"},
            }
            for place, person in enumerate(people)
        ],
    }
    change = {"field": "messages", "value": value}
    return {
        "object": "whatsapp_business_account",
        "entry": [{"id": "200000000000009", **entry, "changes": [change]}],
    }


def person(name: str, user_id: str) -> dict[str, Any]:
    return {"profile": {"name": name, "username": name.lower()}, "user_id": user_id}


def handle_all() -> None:
    while process_due(limit=100):
        pass
    assert not InboundEvent.objects.unfinished().exists(), "an event was not handled"


def raws(server: WireServer) -> list[Any]:
    """Take all turns; returns what each post had as `raw`."""
    while take_due(limit=10):
        pass
    return [request.json["raw"] for request in server.received]


def test_metas_notification_is_given_on_as_meta_told_it(
    official: Connection, server: WireServer
) -> None:
    body = notification(person("Ana", "BR.1349"), time=1767614401)
    store_notices(notices(body))
    handle_all()
    assert raws(server) == [body]


def test_of_many_messages_each_is_told_with_its_own_contact(
    official: Connection, server: WireServer
) -> None:
    people = [person("Ana", "BR.1349"), person("Bia", "BR.1350")]
    store_notices(notices(notification(*people)))
    handle_all()
    told = [raw["entry"][0]["changes"][0]["value"] for raw in raws(server)]
    assert sorted(value["contacts"][0]["user_id"] for value in told) == ["BR.1349", "BR.1350"]
    for value in told:
        [who], [message] = value["contacts"], value["messages"]
        assert who in people
        assert message["from_user_id"] == who["user_id"]


def test_nobody_is_named_whom_meta_did_not_name(official: Connection, server: WireServer) -> None:
    body = notification(person("Ana", "BR.1349"))
    del body["entry"][0]["changes"][0]["value"]["contacts"]
    store_notices(notices(body))
    handle_all()
    assert raws(server) == [body]


def baileys(**message: Any) -> dict[str, Any]:
    return {
        "key": {"remoteJid": f"{NUMBER}@s.whatsapp.net", "fromMe": False, "id": "3EB0"},
        "messageTimestamp": "1767614400",
        "pushName": "Ana",
        "message": {
            **message,
            "messageContextInfo": {"messageSecret": "c2VjcmV0", "deviceListMetadataVersion": 2},
        },
    }


@override_settings(GATEWAY_SECRET=SECRET)
def test_a_qr_sessions_message_is_opened_and_told_without_keys(
    acme: Company, flow: QueueIntegration, server: WireServer
) -> None:
    qr = make_qr_connection(acme, integration=flow)
    lease()
    photo = {
        "caption": "Olha",
        "mimetype": "image/jpeg",
        "mediaKey": "a2V5",
        "contextInfo": {"stanzaId": "3EAF", "conversionSource": "ad"},
    }
    group = {"groupId": "1@g.us", "axolotlSenderKeyDistributionMessage": "a2V5"}
    vote = {"pollCreationMessageKey": {"id": "3EAE"}, "vote": {"encPayload": "eA=="}}
    raw = baileys(imageMessage=photo, senderKeyDistributionMessage=group, pollUpdateMessage=vote)
    assert commit(qr.pk, 1, message_event(NUMBER, raw=raw)).status_code == 200
    handle_all()
    assert "a2V5" not in orjson.dumps([each.payload for each in BotTurn.objects.all()]).decode()
    [told] = raws(server)
    assert told["key"] == raw["key"]
    assert told["message"] == {
        "imageMessage": {key: value for key, value in photo.items() if key != "mediaKey"},
        "senderKeyDistributionMessage": {"groupId": "1@g.us"},
        "pollUpdateMessage": vote,
        "messageContextInfo": {"deviceListMetadataVersion": 2},
    }


@override_settings(GATEWAY_SECRET=SECRET)
def test_what_cannot_be_opened_is_told_as_nothing(
    acme: Company, flow: QueueIntegration, server: WireServer
) -> None:
    qr = make_qr_connection(acme, integration=flow)
    lease()
    commit(qr.pk, 1, message_event(NUMBER, raw=baileys(conversation="Oi")))
    handle_all()
    BotTurn.objects.update(payload={"raw": {"sealed": "of an older key"}})
    assert raws(server) == [None]
