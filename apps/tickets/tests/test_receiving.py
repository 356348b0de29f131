import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMedia, InboundMessage
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import (
    Ack,
    MediaFetch,
    Message,
    MessageReaction,
    Ticket,
    TicketActivityKind,
    TrackingCycle,
)
from apps.tickets.serializers import message_row, ticket_row
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets import matching
from tests.factories import make_contact, make_message, make_queue, make_tag, make_ticket

NUMBER = "5511987654321"
GROUP = "120363041234567890@g.us"


def inbound(**fields: Any) -> InboundMessage:
    fields.setdefault("external_id", f"wamid.{datetime.now().timestamp()}")
    fields.setdefault("sender", NUMBER)
    fields.setdefault("sender_name", "Maria")
    fields.setdefault("media_type", "conversation")
    fields.setdefault("body", "Bom dia")
    fields.setdefault("sent_at", datetime(2026, 1, 5, 12, 0, tzinfo=UTC))
    return InboundMessage(**fields)


def receive(connection: Connection, **fields: Any) -> Message:
    message = receive_message(connection=connection, inbound=inbound(**fields))
    assert message is not None
    return message


def test_a_first_message_makes_contact_ticket_cycle_and_message(
    connection: Connection, queue: Queue, emitted: list[Any]
) -> None:
    message = receive(connection, external_id="wamid.A", body="Olá")
    ticket = Ticket.objects.get()
    assert message.ticket == ticket
    assert (message.external_id, message.body, message.from_me) == ("wamid.A", "Olá", False)
    assert (ticket.status, ticket.unread_count, ticket.last_message) == ("pending", 1, "Olá")
    assert ticket.queue == queue
    assert ticket.latest_message == message
    assert ticket.last_inbound_at == datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
    assert (ticket.contact.name, ticket.contact.number) == ("Maria", NUMBER)
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert (cycle.finished_at, cycle.connection) == (None, connection)
    assert [(event, payload["action"]) for event, payload in emitted] == [
        ("ticket", "update"),
        ("appMessage", "create"),
    ]
    assert emitted[1][1]["ticket"]["unreadMessages"] == 1
    assert emitted[1][1]["message"]["id"] == message.pk


def test_a_connection_with_several_queues_or_none_assigns_no_queue(
    acme: Company, connection: Connection
) -> None:
    connection.queues.add(make_queue(acme))
    # A message of today: the menu asks. One too old to be answered would get the first queue.
    assert receive(connection, sent_at=timezone.now()).ticket.queue is None
    connection.queues.clear()
    assert receive(connection, sender="5511911112222").ticket.queue is None


def test_messages_go_to_the_live_ticket_and_count_as_unread(
    acme: Company, connection: Connection, agent: User, emitted: list[Any]
) -> None:
    contact = make_contact(acme, number=NUMBER, canonical_number=NUMBER)
    ticket = make_ticket(acme, contact=contact, connection=connection, status="open", user=agent)
    receive(connection, body="Um")
    receive(connection, body="Dois")
    ticket.refresh_from_db()
    assert (ticket.unread_count, ticket.last_message, ticket.status) == (2, "Dois", "open")
    assert ticket.user == agent
    assert [event for event, _ in emitted] == ["appMessage", "appMessage"]


def test_what_is_told_from_memory_is_what_is_stored(
    acme: Company, connection: Connection, agent: User, emitted: list[Any]
) -> None:
    CompanySetting.objects.create(company=acme, key="CheckMsgIsGroup", value="disabled")
    media = InboundMedia(media_id="1", mime="image/jpeg", name="foto.jpg")
    receive(connection, external_id="wamid.A", media_type="image", body="", media=media)
    Ticket.objects.update(user=agent, status="open")
    ticket = Ticket.objects.get()
    ticket.tags.add(make_tag(acme))
    events: list[dict[str, Any]] = [
        {"body": "Olá", "data": {"a": 1}},
        {"media_type": "unknown", "body": "unknown", "raw": {"x": 1}},
        {"reply_to": "wamid.A"},
        {"from_me": True},
        {"is_group": True, "sender": GROUP, "participant": NUMBER},
    ]
    for fields in events:
        emitted.clear()
        message = receive(connection, **fields)
        told = emitted[-1][1]
        assert told["message"] == message_row(message)
        assert told["ticket"] == ticket_row(message.ticket)
        assert told["contact"] == told["ticket"]["contact"]


def test_a_replay_changes_nothing(connection: Connection, emitted: list[Any]) -> None:
    receive(connection, external_id="wamid.A")
    emitted.clear()
    again = receive_message(connection=connection, inbound=inbound(external_id="wamid.A"))
    assert again is None
    assert Message.objects.count() == 1
    assert Ticket.objects.get().unread_count == 1
    assert emitted == []


def close(ticket: Ticket, *, minutes_ago: float) -> None:
    ticket.status = "closed"
    ticket.closed_at = timezone.now() - timedelta(minutes=minutes_ago)
    ticket.save()
    TrackingCycle.objects.filter(ticket=ticket).update(finished_at=ticket.closed_at)


def test_a_message_within_the_window_reopens_the_closed_ticket(
    acme: Company, connection: Connection, agent: User, emitted: list[Any]
) -> None:
    ticket = receive(connection).ticket
    other_queue = make_queue(acme)
    Ticket.objects.filter(pk=ticket.pk).update(user=agent, queue=other_queue)
    ticket.refresh_from_db()
    close(ticket, minutes_ago=119)
    emitted.clear()
    message = receive(connection)
    ticket.refresh_from_db()
    assert message.ticket == ticket
    assert (ticket.status, ticket.user, ticket.queue) == ("pending", None, other_queue)
    assert ticket.closed_at is None
    cycle = TrackingCycle.objects.get(ticket=ticket, finished_at=None)
    assert ticket.queued_at == cycle.queued_at
    assert [each.kind for each in ticket.activities.all()] == [TicketActivityKind.REOPENED]
    assert {"action": "delete", "ticketId": ticket.pk, "oldStatus": "closed"} in [
        payload for _, payload in emitted
    ]


def test_after_the_window_a_new_ticket_is_made(connection: Connection) -> None:
    ticket = receive(connection).ticket
    close(ticket, minutes_ago=121)
    assert receive(connection).ticket != ticket


@pytest.mark.parametrize(("value", "reopens"), [("0", False), ("5", True), ("", False)])
def test_the_company_sets_the_window(
    acme: Company, connection: Connection, value: str, reopens: bool
) -> None:
    CompanySetting.objects.create(company=acme, key="reopenWindowMinutes", value=value)
    ticket = receive(connection).ticket
    close(ticket, minutes_ago=3)
    assert (receive(connection).ticket == ticket) is reopens


def test_the_ticket_closed_last_is_the_one_that_reopens(
    acme: Company, connection: Connection
) -> None:
    first = receive(connection).ticket
    close(first, minutes_ago=200)
    second = receive(connection).ticket
    close(second, minutes_ago=100)
    Ticket.objects.filter(pk=first.pk).update(closed_at=timezone.now())
    assert receive(connection).ticket == first


def test_another_worker_that_opens_the_ticket_first_wins(
    acme: Company, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    contact = make_contact(acme)
    look = matching._latest_tickets
    theirs: list[Ticket] = []

    def looks_too_early(pairs: Any) -> Any:
        if theirs:
            return look(pairs)
        theirs.append(make_ticket(acme, contact=contact, connection=connection))
        return {}

    monkeypatch.setattr(matching, "_latest_tickets", looks_too_early)
    found, _ = matching.tickets_for([(connection, contact, True)], at=timezone.now())
    assert list(found.values()) == theirs


def test_what_our_side_wrote_on_the_phone_counts_for_nothing(
    connection: Connection, emitted: list[Any]
) -> None:
    ticket = receive(connection, body="Oi").ticket
    message = receive(connection, from_me=True, sender_name="Loja", body="Já vou ver")
    ticket.refresh_from_db()
    assert (ticket.unread_count, ticket.last_message) == (1, "Já vou ver")
    assert (message.source, message.ack) == ("phone", Ack.SENT)
    close(ticket, minutes_ago=1)
    receive(connection, from_me=True, body="Até logo")
    ticket.refresh_from_db()
    assert (ticket.status, ticket.last_message) == ("closed", "Até logo")


def test_a_conversation_begun_on_the_phone_waits_for_nobody(connection: Connection) -> None:
    ticket = receive(connection, from_me=True, sender_name="Loja", body="Oi!").ticket
    assert (ticket.status, ticket.contact.name) == ("closed", NUMBER)
    assert not TrackingCycle.objects.exists()
    assert receive(connection).ticket.status == "pending"


def test_the_echo_of_our_own_send_settles_it(
    acme: Company, connection: Connection, emitted: list[Any]
) -> None:
    ticket = make_ticket(acme, connection=connection, status="open")
    message = make_message(ticket, from_me=True, external_id=None)
    echo = inbound(from_me=True, external_id=message.callback_id.hex.upper())
    assert receive_message(connection=connection, inbound=echo) is None
    message.refresh_from_db()
    assert (message.ack, message.external_id) == (Ack.SENT, echo.external_id)
    assert Message.objects.count() == 1
    assert receive_message(connection=connection, inbound=echo) is None
    assert [payload["action"] for _, payload in emitted] == ["update"]


def test_groups_are_ignored_by_default(connection: Connection) -> None:
    event = inbound(is_group=True, sender=GROUP, participant=NUMBER)
    assert receive_message(connection=connection, inbound=event) is None
    assert not Contact.objects.exists()


def test_a_group_is_a_contact_with_one_ticket_for_ever(
    acme: Company, connection: Connection
) -> None:
    CompanySetting.objects.create(company=acme, key="CheckMsgIsGroup", value="disabled")
    fields = {"is_group": True, "sender": GROUP, "sender_name": "Família"}
    message = receive(connection, participant=NUMBER, participant_name="Ana", **fields)
    ticket = message.ticket
    assert (ticket.is_group, ticket.contact.name, ticket.contact.is_group) == (
        True,
        "Família",
        True,
    )
    assert message.participant is not None
    assert message.participant.name == "Ana"
    close(ticket, minutes_ago=60 * 24 * 365)
    assert receive(connection, participant=NUMBER, **fields).ticket == ticket


def test_status_broadcasts_are_dropped(connection: Connection) -> None:
    event = inbound(sender="status@broadcast")
    assert receive_message(connection=connection, inbound=event) is None
    assert not Message.objects.exists()


def test_reactions_are_put_changed_and_taken_back(
    connection: Connection, emitted: list[Any]
) -> None:
    message = receive(connection, external_id="wamid.A")
    emitted.clear()
    for emoji in ("👍", "❤️"):
        event = inbound(reaction_to="wamid.A", reaction=emoji, body="")
        assert receive_message(connection=connection, inbound=event) is None
        assert MessageReaction.objects.get().emoji == emoji
    assert MessageReaction.objects.get().sender == message.contact
    receive_message(connection=connection, inbound=inbound(reaction_to="wamid.A", reaction=""))
    assert not MessageReaction.objects.exists()
    assert [payload["action"] for _, payload in emitted] == ["update"] * 3
    message.ticket.refresh_from_db()
    assert message.ticket.unread_count == 1


def test_a_reaction_to_a_message_we_never_had_changes_nothing(connection: Connection) -> None:
    event = inbound(reaction_to="wamid.nobody", reaction="👍")
    assert receive_message(connection=connection, inbound=event) is None
    assert not Ticket.objects.exists()


def test_an_edit_changes_the_text_and_flags_it(connection: Connection, emitted: list[Any]) -> None:
    message = receive(connection, external_id="wamid.A", body="Ola")
    emitted.clear()
    event = inbound(external_id="wamid.B", edits="wamid.A", body="Olá")
    assert receive_message(connection=connection, inbound=event) is None
    message.refresh_from_db()
    assert (message.body, message.is_edited, message.search_text) == ("Olá", True, "ola")
    assert message.ticket.last_message == "Olá"
    assert [event for event, _ in emitted] == ["appMessage", "ticket"]


def test_an_edit_of_a_message_we_never_had_is_stored_as_new(connection: Connection) -> None:
    assert receive(connection, edits="wamid.nobody", body="Corrigido").body == "Corrigido"


def test_a_revoke_flags_the_message_and_keeps_the_row(connection: Connection) -> None:
    message = receive(connection, external_id="wamid.A", body="Ops")
    receive_message(connection=connection, inbound=inbound(deletes="wamid.A", body=""))
    message.refresh_from_db()
    assert (message.is_deleted, message.body) == (True, "Ops")


def test_nobody_revokes_or_edits_what_the_other_side_wrote(
    acme: Company, connection: Connection
) -> None:
    ticket = make_ticket(acme, connection=connection)
    ours = make_message(ticket, from_me=True, external_id="wamid.A", body="Nosso")
    receive_message(connection=connection, inbound=inbound(deletes="wamid.A"))
    receive_message(connection=connection, inbound=inbound(edits="wamid.A", body="Outro"))
    ours.refresh_from_db()
    assert (ours.is_deleted, ours.body) == (False, "Nosso")


def test_a_reply_quotes_by_the_providers_id(connection: Connection) -> None:
    first = receive(connection, external_id="wamid.A")
    assert receive(connection, reply_to="wamid.A").quoted == first
    assert receive(connection, reply_to="wamid.unknown").quoted is None


def test_content_we_do_not_know_is_kept_with_its_raw_form(connection: Connection) -> None:
    message = receive(connection, media_type="unknown", body="unknown", raw={"type": "poll"})
    assert (message.body, message.raw) == ("unknown", {"type": "poll"})
    assert message.ticket.last_message == "Mensagem não suportada"


@pytest.mark.parametrize(
    ("media_type", "body", "name", "preview"),
    [
        ("image", "", "", "Foto"),
        ("image", "Veja", "", "Veja"),
        ("audio", "", "", "Áudio"),
        ("video", "", "", "Vídeo"),
        ("sticker", "", "", "Figurinha"),
        ("application", "", "nota.pdf", "nota.pdf"),
        ("application", "", "", "Documento"),
    ],
)
def test_media_leave_a_row_that_fetches_them(
    connection: Connection, media_type: str, body: str, name: str, preview: str
) -> None:
    media = InboundMedia(media_id="123", mime="image/jpeg", name=name)
    message = receive(connection, media_type=media_type, body=body, media=media)
    assert message.body == (body or name)
    assert message.ticket.last_message == preview
    assert MediaFetch.objects.get().media_id == "123"


def test_a_location_has_a_picture_and_words_in_the_list(
    connection: Connection, settings: Any
) -> None:
    location = receive(connection, media_type="locationMessage", body="|https://maps/1|Casa")
    assert location.ticket.last_message == "Localização"
    # Older browsers show the first part as a picture, whatever it is.
    picture, link, words = message_row(location)["body"].split("|")
    assert (link, words) == ("https://maps/1", "Casa")
    assert picture == f"{settings.PUBLIC_URL}/static/tickets/location.png"
    shown: Any = Client().get(picture.removeprefix(settings.PUBLIC_URL))
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/png")
    theirs = receive(connection, media_type="locationMessage", body="https://a.b/c.png|x|y")
    assert message_row(theirs)["body"] == "https://a.b/c.png|x|y"
    assert receive(connection, media_type="vcard", body="BEGIN:VCARD").ticket.last_message == (
        "Contato"
    )


def test_the_same_provider_id_on_another_connection_is_another_message(
    acme: Company, globex: Company, connection: Connection
) -> None:
    from tests.factories import make_connection

    other = make_connection(globex)
    receive(connection, external_id="wamid.A")
    message = receive(other, external_id="wamid.A")
    assert message.company == globex
    with pytest.raises(IntegrityError):
        make_message(message.ticket, external_id="wamid.A")


def test_a_message_costs_few_statements(
    connection: Connection, django_assert_max_num_queries: Any
) -> None:
    receive(connection)
    # One of them asks for the opt-out words, and whether a campaign wrote to the contact.
    with django_assert_max_num_queries(8):
        receive(connection, external_id="wamid.B")


def test_the_ticket_keeps_the_advertisement_that_brought_the_contact(
    connection: Connection, emitted: list[Any]
) -> None:
    ad = {"source_type": "ad", "source_id": "120", "headline": "Inverno"}
    message = receive(connection, data={"referral": ad})
    row = ticket_row(message.ticket)
    assert row["referral"] == ad
    assert json.loads(message_row(message)["dataJson"]) == {"referral": ad}
    told = [payload["ticket"] for name, payload in emitted if name == "ticket"]
    assert told and told[-1]["referral"] == ad
    # What comes after it without one takes nothing away; the latest is kept.
    receive(connection)
    assert ticket_row(message.ticket)["referral"] == ad
    receive(connection, data={"referral": {"source_type": "post"}})
    assert ticket_row(message.ticket)["referral"] == {"source_type": "post"}


def test_a_ticket_without_an_advertisement_has_none(connection: Connection) -> None:
    assert ticket_row(receive(connection).ticket)["referral"] is None
