"""Replies, reactions, edits and revokes that come before the message they are about."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMedia, InboundMessage, InboundStatus
from apps.tickets.models import Ack, EarlyReference, MediaFetch, Message, Ticket
from apps.tickets.serializers import message_row
from apps.tickets.services.messages import early_references, late_originals
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.services.receiving.messages import receive_message, receive_messages
from apps.tickets.tests.conftest import Emitted
from tests.factories import make_message, make_ticket

pytestmark = pytest.mark.django_db
SENDER = "5511900000001"
ORIGINAL = "wamid.original"
PICTURE = InboundMedia("media1", "image/png", "prato.png")


def inbound(external_id: str, body: str = "", **fields: Any) -> InboundMessage:
    fields.setdefault("sender", SENDER)
    fields.setdefault("media_type", "conversation")
    sent_at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    return InboundMessage(
        external_id=external_id, sender_name="Maria", body=body, sent_at=sent_at, **fields
    )


REACTION = inbound("wamid.reaction", reaction_to=ORIGINAL, reaction="👍")
CHANGED = inbound("wamid.reaction2", reaction_to=ORIGINAL, reaction="❤️")
EDIT = inbound("wamid.edit", "Olá!", edits=ORIGINAL)
AGAIN = inbound("wamid.edit2", "Olá, bom dia!", edits=ORIGINAL)
REVOKE = inbound("wamid.revoke", deletes=ORIGINAL)
REPLY = inbound("wamid.reply", "Isso", reply_to=ORIGINAL)
FIRST = inbound(ORIGINAL, "Ola")


def receive(connection: Connection, *reports: InboundMessage) -> None:
    for report in reports:
        receive_message(connection=connection, inbound=report)


def original() -> dict[str, Any]:
    return message_row(Message.objects.get(external_id=ORIGINAL))


def emojis(row: dict[str, Any]) -> list[str]:
    return [each["emoji"] for each in row["reactions"]]


def test_a_reaction_waits_for_its_message(connection: Connection, emitted: Emitted) -> None:
    receive(connection, REACTION)
    assert not Message.objects.exists()
    receive(connection, FIRST)
    assert emojis(original()) == ["👍"]
    assert not EarlyReference.objects.exists()
    told = [(name, payload["action"]) for name, payload in emitted if name == "appMessage"]
    assert told == [("appMessage", "create"), ("appMessage", "update")]
    assert emojis(emitted[-1][1]["message"]) == ["👍"]


def test_a_reaction_that_was_taken_back_meanwhile_is_none(connection: Connection) -> None:
    gone = inbound("wamid.gone", reaction_to=ORIGINAL, reaction="")
    receive(connection, REACTION, CHANGED, gone, FIRST)
    assert emojis(original()) == []


def test_a_revoke_waits_for_its_message(connection: Connection) -> None:
    receive(connection, REVOKE, FIRST)
    assert (original()["isDeleted"], original()["body"]) == (True, "Ola")


def test_nobody_revokes_early_what_the_other_side_wrote(connection: Connection) -> None:
    receive(connection, inbound("wamid.revoke", deletes=ORIGINAL, from_me=True), FIRST)
    assert original()["isDeleted"] is False


def test_a_reply_gets_its_quote_when_that_comes(connection: Connection, emitted: Emitted) -> None:
    receive(connection, REPLY)
    reply = Message.objects.get(external_id="wamid.reply")
    assert reply.quoted is None
    receive(connection, FIRST)
    assert message_row(reply)["quotedMsg"]["body"] == "Ola"
    name, payload = emitted[-1]
    assert (name, payload["message"]["id"]) == ("appMessage", reply.pk)
    assert payload["message"]["quotedMsg"]["body"] == "Ola"


def test_an_edit_is_read_at_once_and_is_its_original_when_that_comes(
    connection: Connection, emitted: Emitted
) -> None:
    receive(connection, EDIT)
    edit = Message.objects.get()
    assert (edit.body, edit.ticket.unread_count) == ("Olá!", 1)
    receive(connection, FIRST)
    row = original()
    assert (row["id"], row["body"], row["isEdited"]) == (edit.pk, "Olá!", True)
    assert Message.objects.count() == 1
    ticket = Ticket.objects.get()
    assert (ticket.unread_count, ticket.last_message) == (1, "Olá!")
    assert emitted[-1][0] == "ticket"
    assert not EarlyReference.objects.exists()


def test_the_original_of_an_edited_caption_brings_its_file(connection: Connection) -> None:
    picture = inbound(ORIGINAL, "Ola", media_type="image", media=PICTURE)
    receive(connection, EDIT, picture)
    row = original()
    assert (row["body"], row["mediaType"], row["mediaState"]) == ("Olá!", "image", "fetching")
    assert MediaFetch.objects.get().media_id == "media1"


@pytest.mark.parametrize(
    "before",
    [
        (REACTION, EDIT, CHANGED, AGAIN, REPLY),
        (EDIT, REPLY, AGAIN, REACTION, CHANGED),
        (REPLY, REACTION, CHANGED, EDIT, AGAIN),
    ],
)
def test_several_are_applied_in_order_and_once(
    connection: Connection, before: tuple[InboundMessage, ...]
) -> None:
    receive(connection, *before)
    # The provider tells it all once more, under the same ids and under others.
    receive(connection, *before[-2:], FIRST, FIRST)
    row = original()
    assert (row["body"], row["isEdited"], row["isDeleted"]) == ("Olá, bom dia!", True, False)
    assert emojis(row) == ["❤️"]
    reply = Message.objects.get(external_id="wamid.reply")
    late_originals.apply_missed()
    assert message_row(reply)["quotedMsgId"] == row["id"]
    assert Message.objects.count() == 2
    assert not EarlyReference.objects.exists()


def test_what_is_stored_together_finds_what_waits_for_each(connection: Connection) -> None:
    other = inbound("wamid.other", reaction_to="wamid.second", reaction="🙏")
    receive(connection, REACTION, other, EDIT)
    second = inbound("wamid.second", "E isto", reply_to=ORIGINAL)
    receive_messages([(connection, FIRST), (connection, second)])
    row = message_row(Message.objects.get(external_id="wamid.second"))
    assert emojis(row) == ["🙏"]
    assert row["quotedMsg"]["body"] == "Olá!"
    assert emojis(original()) == ["👍"]


@pytest.mark.parametrize("by_status", [True, False])
def test_what_a_contact_does_to_a_send_of_ours_waits_for_its_id(
    acme: Company, connection: Connection, by_status: bool
) -> None:
    ticket = make_ticket(acme, connection=connection, status="open")
    message = make_message(ticket, from_me=True, body="Ola", external_id=None)
    number = ticket.contact.number
    edit = inbound("wamid.edit", "Olá!", edits=ORIGINAL, from_me=True, sender=number)
    receive(
        connection,
        inbound("wamid.reaction", reaction_to=ORIGINAL, reaction="👍", sender=number),
        inbound("wamid.reply", "Isso", reply_to=ORIGINAL, sender=number),
        edit,
    )
    assert Message.objects.count() == 2
    if by_status:
        status = InboundStatus(ORIGINAL, Ack.SERVER, callback_id=str(message.callback_id))
        apply_statuses([(connection, status)])
    else:
        # A program of the phone's own names our send by the id that we gave it.
        Message.objects.filter(pk=message.pk).update(external_id=ORIGINAL)
        assert late_originals.apply_missed() == 1
    row = original()
    assert (row["id"], row["body"], row["isEdited"]) == (message.pk, "Olá!", True)
    assert emojis(row) == ["👍"]
    reply = Message.objects.get(external_id="wamid.reply")
    assert reply.quoted_id == message.pk
    assert late_originals.apply_missed() == 0


def test_an_echo_of_the_phone_finds_what_waits_for_it(connection: Connection) -> None:
    receive(
        connection,
        inbound("wamid.edit", "Olá!", edits=ORIGINAL, from_me=True),
        REACTION,
        inbound(ORIGINAL, "Ola", from_me=True),
    )
    row = original()
    assert (row["body"], row["isEdited"], row["fromMe"]) == ("Olá!", True, True)
    assert emojis(row) == ["👍"]
    assert Message.objects.count() == 1


def test_what_is_undone_with_its_message_waits_on(connection: Connection) -> None:
    receive(connection, REACTION, REPLY)
    with pytest.raises(RuntimeError), transaction.atomic():
        receive(connection, FIRST)
        raise RuntimeError("the worker died")
    assert EarlyReference.objects.count() == 2
    receive(connection, FIRST)
    assert emojis(original()) == ["👍"]
    assert Message.objects.get(external_id="wamid.reply").quoted_id == original()["id"]


def test_after_a_day_nothing_is_applied_any_more(connection: Connection, acme: Company) -> None:
    receive(connection, REACTION, EDIT)
    yesterday = timezone.now() - timedelta(hours=24, seconds=1)
    EarlyReference.objects.update(created_at=yesterday)
    receive(connection, FIRST)
    assert emojis(original()) == []
    assert sorted(Message.objects.values_list("body", flat=True)) == ["Ola", "Olá!"]
    assert late_originals.apply_missed() == 0
    receive(connection, inbound("wamid.new", reaction_to="wamid.unknown", reaction="👍"))
    assert early_references.forget_references(now=timezone.now()) == 1
    assert EarlyReference.objects.get().original_id == "wamid.unknown"


def test_an_id_that_no_message_can_have_is_not_kept(connection: Connection) -> None:
    receive(connection, inbound("wamid.x", reaction_to="x" * 201, reaction="👍"))
    assert not EarlyReference.objects.exists()


def test_another_connections_message_of_the_same_id_is_another(
    connection: Connection, globex: Company
) -> None:
    from tests.factories import make_connection

    receive(connection, REACTION)
    receive(make_connection(globex), FIRST)
    assert emojis(original()) == []
    assert EarlyReference.objects.count() == 1
