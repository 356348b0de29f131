"""Notifications as Meta posts them, and their events handled."""

from datetime import datetime, timedelta
from typing import Any

import orjson
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.tests.test_webhook import post

NUMBER, ACCOUNT = "100000000000009", "200000000000009"
METADATA = {"display_phone_number": "5511988887777", "phone_number_id": NUMBER}
CUSTOMER, USER_ID = "5511999990001", "BR.1001"
CONTACT = {"profile": {"name": "Ana Souza"}, "wa_id": CUSTOMER, "user_id": USER_ID}


def tell(*changes: Any, account: str = ACCOUNT) -> None:
    """Post changes of one entry to the webhook."""
    entry = {"id": account, "time": 1763690600, "changes": list(changes)}
    body = orjson.dumps({"object": "whatsapp_business_account", "entry": [entry]})
    assert post(body).status_code == 200


def handle() -> None:
    """Handle what was posted: each event succeeds at its first attempt."""
    while process_due(limit=50):
        pass
    assert set(InboundEvent.objects.values_list("state", flat=True)) <= {LeaseState.DONE}
    assert not InboundEvent.objects.filter(attempts__gt=1).exists()


def seconds(at: datetime | None = None) -> str:
    return str(int((at or timezone.now()).timestamp()))


def ago(count: int) -> str:
    """Return Meta's timestamp of some seconds ago."""
    return seconds(timezone.now() - timedelta(seconds=count))


def of(field: str, **value: Any) -> dict[str, Any]:
    """Return a change of a field of the number."""
    told = {"messaging_product": "whatsapp", "metadata": METADATA, **value}
    return {"field": field, "value": told}


def text(wamid: str, body: str = "Oi", **fields: Any) -> dict[str, Any]:
    """Return an item of `messages`, as Meta sends a customer's text; `fields` come on top."""
    return {
        "from": CUSTOMER,
        "from_user_id": USER_ID,
        "id": wamid,
        "timestamp": seconds(),
        "type": "text",
        "text": {"body": body},
        **fields,
    }


def ordinary(*messages: dict[str, Any]) -> dict[str, Any]:
    return of("messages", contacts=[CONTACT], messages=list(messages))


def seen(*messages: dict[str, Any]) -> dict[str, Any]:
    """Return what a customer writes to another responder."""
    return of("standby", standby={"contacts": [CONTACT], "messages": list(messages)})


def echo(
    wamid: str, body: str = "Olá, sou a assistente.", at: str = "", **fields: Any
) -> dict[str, Any]:
    """Return what another responder writes: the body of its call."""
    call = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": CUSTOMER,
        "type": "text",
        "text": {"body": body},
        **fields,
    }
    item = {"id": wamid, "timestamp": at or seconds(), "message": call}
    return of("standby", standby={"message_echoes": [item]})


def status(wamid: str, step: str, field: str = "standby") -> dict[str, Any]:
    told = {
        "id": wamid,
        "status": step,
        "timestamp": seconds(),
        "recipient_id": CUSTOMER,
        "recipient_user_id": USER_ID,
        "pricing": {
            "billable": True,
            "pricing_model": "PMP",
            "type": "regular",
            "category": "general_purpose_ai",
        },
    }
    if field == "standby":
        return of("standby", standby={"statuses": [told]})
    return of(field, statuses=[told])


def handover(kind: str = "control_passed", **fields: Any) -> dict[str, Any]:
    roles = ["ai_agent", "escalation"]
    former, new = roles if kind == "control_passed" else reversed(roles)
    told = {"metadata": "pediu uma pessoa", "previous_owner_role": former, "new_owner_role": new}
    value = {
        "messaging_product": "whatsapp",
        "recipient": METADATA,
        "sender": {"phone_number": CUSTOMER},
        "timestamp": seconds(),
        "type": kind,
        kind: told,
        **fields,
    }
    return {"field": "messaging_handovers", "value": value}
