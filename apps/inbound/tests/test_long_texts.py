"""What a customer sends without end is kept within bounds; the event keeps the whole of it."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.common.search import LONGEST_TEXT
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.tests.test_processing import message_event
from apps.tickets.models import Message, Ticket
from apps.tickets.models.messages import LONGEST_PREVIEW
from conftest import ClientFor

pytestmark = pytest.mark.django_db

SENDER = "5511900000001"
LONG = "aé " * 700_000
# One letter that folds to eighteen.
GROWING = "\ufdfa" * 100_000


def event_of(connection: Connection, kind: str, content: dict[str, Any]) -> InboundEvent:
    event = message_event(connection, "wamid.long", sender=SENDER, body="")
    event.payload["message"] = {
        **{key: event.payload["message"][key] for key in ("from", "id", "timestamp")},
        "type": kind,
        kind: content,
    }
    event.save()
    return event


@pytest.mark.parametrize("words", [LONG, GROWING])
def test_a_text_is_kept_and_shown_up_to_its_bound(
    client_for: ClientFor, admin: User, connection: Connection, words: str
) -> None:
    event = event_of(connection, "text", {"body": words})
    process_due(limit=10)
    message = Message.objects.get()
    assert message.body == words[:LONGEST_TEXT]
    assert LONGEST_TEXT == 65_536
    assert len(message.search_text) <= LONGEST_TEXT
    assert len(Ticket.objects.get().last_message) == LONGEST_PREVIEW
    event.refresh_from_db()
    assert event.payload["message"]["text"]["body"] == words
    shown = client_for(admin).get(f"/api/messages/{message.ticket_id}").json()
    assert len(shown["messages"][0]["body"]) == LONGEST_TEXT
    listed = client_for(admin).get("/api/tickets", {"showAll": "true"}).json()
    assert len(listed["tickets"][0]["lastMessage"]) == LONGEST_PREVIEW


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("image", {"id": "1", "mime_type": "image/png", "caption": LONG}),
        ("location", {"latitude": 1, "longitude": 2, "name": LONG, "extra": LONG}),
        ("contacts", [{"name": {"formatted_name": LONG}, "phones": []}]),
        ("button", {"text": LONG, "payload": LONG}),
        ("interactive", {"nfm_reply": {"body": LONG, "response_json": LONG}}),
    ],
)
def test_whatever_a_customer_sends_is_bounded(
    client_for: ClientFor, admin: User, connection: Connection, kind: str, content: Any
) -> None:
    event_of(connection, kind, content)
    process_due(limit=10)
    message = Message.objects.get()
    assert len(message.body) <= LONGEST_TEXT
    answer = client_for(admin).get(f"/api/messages/{message.ticket_id}")
    assert len(answer.content) < 4 * LONGEST_TEXT


def test_an_edit_is_bounded_too(connection: Connection) -> None:
    message_event(connection, "wamid.A", sender=SENDER, body="oi")
    process_due(limit=10)
    edit = {"original_message_id": "wamid.A", "message": {"type": "text", "text": {"body": LONG}}}
    event_of(connection, "edit", edit)
    process_due(limit=10)
    assert Message.objects.get().body == LONG[:LONGEST_TEXT]


def test_a_structure_within_its_bound_is_kept_whole(connection: Connection) -> None:
    content = {"latitude": 1, "longitude": 2, "name": "a" * 900}
    event_of(connection, "location", content)
    process_due(limit=10)
    assert Message.objects.get().data == content
