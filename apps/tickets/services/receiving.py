"""From a received message to a row on the right ticket (specification 4 §1 and §2)."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Case, F, IntegerField, Value, When
from django.utils import timezone

from apps.common.wakeups import wake
from apps.companies.queries import setting_of
from apps.connections.models import Connection, ConnectionQueue
from apps.connections.providers.base import InboundMessage
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    MediaFetch,
    MediaState,
    MediaType,
    Message,
    MessageSource,
    Ticket,
    TicketEvent,
    TicketEventKind,
    TicketStatus,
)
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services import corrections
from apps.tickets.services.previews import preview_of
from apps.tickets.services.tracking import track

# Not conversations: the stories that WhatsApp calls status.
NOISE = frozenset({"status@broadcast"})
# Another worker or an attendant may open the ticket while we look; the index decides.
OPENING_TRIES = 3


def receive_message(*, connection: Connection, inbound: InboundMessage) -> Message | None:
    """Store what a contact wrote, or what our side wrote on the phone; returns the new message.

    Steps 2 to 5, 7 and 8 of specification 4 §1, in the caller's transaction. A replay, a reaction,
    an edit, a revoke and ignored traffic make no message and return None.
    """
    if inbound.sender in NOISE or (inbound.is_group and _ignores_groups(connection)):
        return None
    if inbound.reaction_to:
        corrections.apply_reaction(connection, inbound)
        return None
    if inbound.deletes:
        corrections.apply_revoke(connection, inbound)
        return None
    if inbound.edits and corrections.apply_edit(connection, inbound):
        return None
    known = _known_messages(connection, inbound)
    if inbound.external_id in known or corrections.settle_echo(connection, inbound):
        return None
    contact = _contact_of(connection, inbound)
    ticket, old_status, audiences = _ticket_for(
        connection=connection, contact=contact, at=timezone.now(), opens=not inbound.from_me
    )
    message = _store(connection, inbound, contact, ticket, known.get(inbound.reply_to))
    if old_status is not None:
        _tell_opened(ticket, old_status, audiences)
    events.message_received(message)
    return message


def find_or_create_ticket(*, connection: Connection, contact: Contact, at: datetime) -> Ticket:
    """Return the ticket that a message of this contact belongs to, opened if need be.

    The live one; else the last closed one, when it was closed within the company's reopen window
    (a group's always), as pending without user; else a new pending one (specification 4 §2). Call
    it in a transaction: the ticket stays locked until commit.
    """
    ticket, old_status, audiences = _ticket_for(
        connection=connection, contact=contact, at=at, opens=True
    )
    if old_status is not None:
        _tell_opened(ticket, old_status, audiences)
    return ticket


def _ignores_groups(connection: Connection) -> bool:
    return setting_of(connection.company_id, "CheckMsgIsGroup") == "enabled"


def _known_messages(connection: Connection, inbound: InboundMessage) -> dict[str, int]:
    wanted = {inbound.external_id, inbound.reply_to} - {""}
    found = Message.objects.filter(connection=connection, external_id__in=wanted)
    return {external or "": pk for external, pk in found.values_list("external_id", "pk")}


def _contact_of(connection: Connection, inbound: InboundMessage) -> Contact:
    return upsert_contact(
        company_id=connection.company_id,
        number=inbound.sender,
        # What our side wrote carries our own name.
        name="" if inbound.from_me and not inbound.is_group else inbound.sender_name,
        connection_id=connection.pk,
        lid=inbound.lid,
        is_group=inbound.is_group,
    )


def _ticket_for(
    *, connection: Connection, contact: Contact, at: datetime, opens: bool
) -> tuple[Ticket, str | None, list[str]]:
    """Return the ticket; the status it had before ('' for a new one) when it was opened now, else
    None; and who could read it before.
    """
    for attempt in range(1, OPENING_TRIES + 1):
        latest = _latest_ticket(connection, contact)
        if latest is not None and (latest.status != TicketStatus.CLOSED or not opens):
            return latest, None, []
        try:
            with transaction.atomic():
                if latest is not None and _reopens(latest, at):
                    audiences = ticket_audiences(latest)
                    _reopen(latest, at)
                    return latest, TicketStatus.CLOSED, audiences
                return _create(connection, contact, at, opens=opens), "", []
        except IntegrityError:
            if attempt == OPENING_TRIES:
                raise
    raise AssertionError("unreachable")


def _latest_ticket(connection: Connection, contact: Contact) -> Ticket | None:
    """Return the live ticket, else the one closed last, locked: it can't be closed under us."""
    is_closed = Case(
        When(status=TicketStatus.CLOSED, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    latest = (
        Ticket.objects.for_company(connection.company_id)
        .select_for_update(of=("self",), no_key=True)
        .select_related("queue", "user")
        .filter(connection=connection, contact=contact)
        .order_by(is_closed, F("closed_at").desc(nulls_last=True), "-id")
        .first()
    )
    if latest is not None:
        latest.connection, latest.contact = connection, contact
    return latest


def _reopens(ticket: Ticket, at: datetime) -> bool:
    if ticket.is_group:
        return True
    window = setting_of(ticket.company_id, "reopenWindowMinutes")
    minutes = int(window) if window.isdecimal() else 0
    if not minutes or ticket.closed_at is None:
        return False
    return at - ticket.closed_at <= timedelta(minutes=minutes)


def _reopen(ticket: Ticket, at: datetime) -> None:
    ticket.status = TicketStatus.PENDING
    ticket.user = None
    ticket.closed_at = None
    ticket.updated_at = at
    ticket.save(update_fields=["status", "user", "closed_at", "updated_at"])
    track(ticket, old_status=TicketStatus.CLOSED, at=at)


def _create(connection: Connection, contact: Contact, at: datetime, *, opens: bool) -> Ticket:
    # What our side wrote first on the phone waits for nobody: its ticket is history, and an
    # answer within the window opens it.
    queue_ids = list(
        ConnectionQueue.objects.filter(connection=connection).values_list("queue_id", flat=True)[:2]
    )
    ticket = Ticket.objects.create(
        company_id=connection.company_id,
        connection=connection,
        contact=contact,
        queue_id=queue_ids[0] if len(queue_ids) == 1 else None,
        status=TicketStatus.PENDING if opens else TicketStatus.CLOSED,
        is_group=contact.is_group,
        created_at=at,
        updated_at=at,
        closed_at=None if opens else at,
    )
    if opens:
        track(ticket, old_status=TicketStatus.CLOSED, at=at)
    return ticket


def _tell_opened(ticket: Ticket, old_status: str, audiences: list[str]) -> None:
    if not old_status:
        events.ticket_updated(ticket)
        return
    line = TicketEvent.objects.create(ticket=ticket, kind=TicketEventKind.REOPENED)
    events.ticket_updated(ticket, old_status=old_status, audiences_before=audiences, event=line)


def _store(
    connection: Connection,
    inbound: InboundMessage,
    contact: Contact,
    ticket: Ticket,
    quoted_id: int | None,
) -> Message:
    media = inbound.media
    name = media.name[:255] if media else ""
    body = inbound.body or name
    message = Message(
        company_id=connection.company_id,
        connection=connection,
        ticket=ticket,
        contact=contact,
        participant=_participant_of(connection, inbound),
        external_id=inbound.external_id,
        from_me=inbound.from_me,
        source=MessageSource.PHONE if inbound.from_me else MessageSource.CONTACT,
        ack=Ack.SENT if inbound.from_me else Ack.PENDING,
        media_type=inbound.media_type,
        body=body,
        media_state=MediaState.FETCHING if media else "",
        media_name=name,
        media_mime=media.mime[:150] if media else "",
        quoted_id=quoted_id,
        is_read=inbound.from_me,
        remote_jid=inbound.sender[:100],
        data=inbound.data,
        raw=inbound.raw if inbound.media_type == MediaType.UNKNOWN else None,
        sent_at=inbound.sent_at,
    )
    message.save(force_insert=True)
    if media is not None:
        _fetch_later(message, connection, inbound)
    _move_ticket(ticket, message, name)
    return message


def _participant_of(connection: Connection, inbound: InboundMessage) -> Contact | None:
    if not inbound.is_group or inbound.from_me or not inbound.participant:
        return None
    return upsert_contact(
        company_id=connection.company_id,
        number=inbound.participant,
        name=inbound.participant_name,
        connection_id=connection.pk,
    )


def _fetch_later(message: Message, connection: Connection, inbound: InboundMessage) -> None:
    from apps.tickets.tasks import fetch_media

    if inbound.media is None:
        return
    MediaFetch.objects.create(
        message=message,
        connection=connection,
        media_id=inbound.media.media_id,
        is_voice=inbound.media.is_voice,
    )
    wake(fetch_media)


def _move_ticket(ticket: Ticket, message: Message, media_name: str) -> None:
    now = timezone.now()
    inbound_at = min(message.sent_at or now, now)
    ticket.last_message = preview_of(message.media_type, message.body, media_name)
    ticket.latest_message = message
    ticket.updated_at = now
    changes = {
        "last_message": ticket.last_message,
        "latest_message": message,
        "updated_at": now,
    }
    if not message.from_me:
        ticket.unread_count += 1
        ticket.last_inbound_at = max(ticket.last_inbound_at or inbound_at, inbound_at)
        changes["unread_count"] = F("unread_count") + 1
        changes["last_inbound_at"] = ticket.last_inbound_at
    Ticket.objects.filter(pk=ticket.pk).update(**changes)
