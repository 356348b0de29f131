"""Creates rows from the drafts: tickets, messages, reactions, cycles, activities, ratings and
tags.
"""

import base64
import hashlib
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db.models import F

from apps.common.media import store_media
from apps.common.search import fold
from apps.connections.providers.official.contents import vcard
from apps.contacts.models import Contact
from apps.simulator.demo.company import Demo
from apps.simulator.demo.drafts import MessageDraft, TicketDraft
from apps.simulator.services.media import SAMPLES
from apps.tickets.models import (
    BY_PEOPLE,
    Ack,
    MediaState,
    MediaType,
    Message,
    MessageReaction,
    MessageSource,
    Rating,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    TicketTag,
    TrackingCycle,
)

# A draft's kind → the product's media type, the sample's suffix and MIME type.
MEDIA = {
    "foto": (MediaType.IMAGE, ".jpg", "image/jpeg"),
    "video": (MediaType.VIDEO, ".mp4", "video/mp4"),
    "voz": (MediaType.AUDIO, ".ogg", "audio/ogg"),
    "pdf": (MediaType.FILE, ".pdf", "application/pdf"),
    "figura": (MediaType.STICKER, ".webp", "image/webp"),
}
SECONDS = {"recado": 11.9, "recado-nota": 8.6, "vasos": 3.5}
FAILURE = ("131000", "A conexão Loja Centro ficou sem resposta do WhatsApp.", "provider_down")


def external_id(ticket: int, position: int) -> str:
    """Return a message id that looks like Meta's and is the same every time."""
    digest = hashlib.sha256(f"demo {ticket} {position}".encode()).digest()
    return "wamid." + base64.b64encode(b"\x1d\x11\x18" + digest[:27]).decode()


def _content(demo: Demo, draft: MessageDraft) -> dict[str, Any]:
    kind = draft.turn.kind
    if kind in MEDIA:
        media_type, suffix, mime = MEDIA[kind]
        name = f"{draft.turn.sample}{suffix}"
        stored = store_media(
            company_id=demo.company.pk,
            content=(SAMPLES / name).read_bytes(),
            name=name,
            mime=mime,
        )
        return {
            "media_type": media_type,
            "media_state": MediaState.READY,
            "body": draft.text,
            "media_path": stored.path,
            "media_name": name,
            "media_mime": mime,
            "media_size": stored.size,
            "media_seconds": SECONDS.get(draft.turn.sample),
        }
    if kind == "local":
        latitude, longitude = (float(part) for part in draft.turn.sample.split(","))
        link = f"https://maps.google.com/?q={latitude},{longitude}"
        place = {"latitude": latitude, "longitude": longitude, "name": draft.text}
        body = f"|{link}|{draft.text}"
        return {"media_type": MediaType.LOCATION, "body": body, "data": place}
    if kind == "contato":
        digits = "".join(c for c in draft.text if c.isdigit())
        card = {
            "name": {"formatted_name": draft.turn.sample},
            "phones": [{"phone": draft.text, "wa_id": digits, "type": "CELL"}],
        }
        return {
            "media_type": MediaType.CONTACT_CARD,
            "body": vcard(card),
            "data": {"contacts": [card]},
        }
    return {"media_type": MediaType.TEXT, "body": draft.text}


def _message(
    demo: Demo, ticket: Ticket, draft: MessageDraft, position: int, speakers: dict[str, Contact]
) -> Message:
    content = _content(demo, draft)
    from_me = draft.turn.from_me
    source = MessageSource.BOT if draft.is_bot else MessageSource.AGENT
    message = Message(
        company=demo.company,
        connection=ticket.connection,
        ticket=ticket,
        contact=ticket.contact,
        participant=speakers.get(draft.speaker),
        user=ticket.user if from_me and not draft.is_bot else None,
        external_id=external_id(ticket.pk, position),
        from_me=from_me,
        source=source if from_me else MessageSource.CONTACT,
        ack=Ack.READ if from_me else Ack.DELIVERED,
        is_read=from_me,
        search_text=fold(content["body"]),
        sent_at=draft.at,
        created_at=draft.at,
        **content,
    )
    if draft.is_failed:
        message.ack = Ack.ERROR
        message.error_code, message.error_reason, message.reason_code = FAILURE
        message.external_id = None
    return message


def _set_ticks(rows: list[Message], unread: int) -> None:
    """Mark inbound messages as read, except the last `unread`.

    In every third ticket, the newest outbound messages are only delivered.
    """
    inbound = [row for row in rows if not row.from_me]
    for row in inbound[: len(inbound) - unread]:
        row.is_read = True
    for row in reversed(rows):
        if not row.from_me:
            break
        if row.ack == Ack.READ and row.ticket.pk % 3 == 0:
            row.ack = Ack.DELIVERED


def _ticket(demo: Demo, draft: TicketDraft, contact: Contact) -> Ticket:
    times = [draft.messages[-1].at, draft.accepted_at, draft.closed_at]
    inbound = [message.at for message in draft.messages if not message.turn.from_me]
    return Ticket(
        company=demo.company,
        connection=draft.connection or demo.connection,
        contact=contact,
        queue=demo.queues.get(draft.queue),
        user=demo.users.get(draft.holder),
        status=draft.status,
        unread_count=draft.unread,
        last_inbound_at=max(inbound),
        is_group=contact.is_group,
        created_at=draft.messages[0].at,
        queued_at=draft.messages[0].at,
        updated_at=max(time for time in times if time),
        closed_at=draft.closed_at,
    )


def _activities(demo: Demo, ticket: Ticket, draft: TicketDraft) -> list[TicketActivity]:
    def activity(kind: str, at: datetime) -> TicketActivity:
        actor = ticket.user
        detail = {
            "actor": actor.name if actor else "",
            "queue": draft.queue,
            "user": actor.name if actor else None,
        }
        return TicketActivity(ticket=ticket, kind=kind, actor=actor, detail=detail, created_at=at)

    found = [
        TicketActivity(ticket=ticket, kind=kind, detail=detail, created_at=at)
        for kind, at, detail in draft.lines
    ]
    if draft.accepted_at:
        found.append(activity(TicketActivityKind.ACCEPTED, draft.accepted_at))
    if draft.closed_at and draft.holder:
        found.append(activity(TicketActivityKind.RESOLVED, draft.closed_at))
    elif draft.closed_at and ticket.connection is not None:
        # Nobody had it: its contact wrote no more.
        detail = {"queue": draft.queue or None, "connection": ticket.connection.name}
        expired = TicketActivityKind.EXPIRED
        at = draft.closed_at
        found.append(TicketActivity(ticket=ticket, kind=expired, detail=detail, created_at=at))
    return found


def _tags(demo: Demo, random: Random, ticket: Ticket, draft: TicketDraft) -> list[TicketTag]:
    names = {draft.tag} if draft.tag else set()
    if random.random() < 0.15:
        names.add("VIP")
    return [TicketTag(ticket=ticket, tag=demo.tags[name]) for name in sorted(names)]


def _lane(demo: Demo, ticket: Ticket) -> list[TicketTag]:
    """Return the lane of an open ticket; some have none."""
    # About one in three open tickets has no lane.
    place = ticket.pk % (len(demo.lanes) + 2)
    if ticket.status != TicketStatus.OPEN or place >= len(demo.lanes):
        return []
    return [TicketTag(ticket=ticket, tag=demo.lanes[place])]


def make_tickets(
    demo: Demo,
    drafts: list[TicketDraft],
    contacts: list[Contact],
    groups: list[Contact],
    speakers: dict[str, Contact],
) -> list[tuple[Ticket, list[Message]]]:
    """Create all rows in few statements; returns the tickets with their messages, oldest first."""
    random = Random(17)  # noqa: S311 stories, not secrets
    tickets = Ticket.objects.bulk_create(
        _ticket(demo, d, contacts[d.person] if d.group is None else groups[d.group]) for d in drafts
    )
    pairs: list[tuple[MessageDraft, Message]] = []
    result: list[tuple[Ticket, list[Message]]] = []
    cycles, activities, tags, ratings = [], [], [], []
    for ticket, draft in zip(tickets, drafts, strict=True):
        rows = [_message(demo, ticket, m, i, speakers) for i, m in enumerate(draft.messages)]
        _set_ticks(rows, draft.unread)
        pairs += zip(draft.messages, rows, strict=True)
        result.append((ticket, rows))
        cycle = TrackingCycle(
            company=demo.company,
            ticket=ticket,
            contact=ticket.contact,
            connection=ticket.connection,
            queue=ticket.queue if draft.closed_at else None,
            user=ticket.user,
            queued_at=ticket.created_at,
            started_at=draft.accepted_at,
            first_answer_at=_first_answer(rows) if draft.closed_at else None,
            finished_at=draft.closed_at,
        )
        cycles.append(cycle)
        ratings += _ratings(cycle, draft)
        activities += _activities(demo, ticket, draft)
        tags += _tags(demo, random, ticket, draft) + _lane(demo, ticket)
    # The product orders messages by id, so they are inserted in the order of arrival.
    arrival = sorted((row for _, row in pairs), key=lambda row: row.created_at)
    Message.objects.bulk_create(arrival, batch_size=500)
    _link(demo, pairs, result)
    TrackingCycle.objects.bulk_create(cycles)
    Rating.objects.bulk_create(ratings)
    TicketActivity.objects.bulk_create(activities)
    TicketTag.objects.bulk_create(tags)
    return result


def _ratings(cycle: TrackingCycle, draft: TicketDraft) -> list[Rating]:
    """Return the contact's rating; one in three gives none."""
    random = Random(cycle.ticket.pk)  # noqa: S311 stories, not secrets
    if not (draft.closed_at and draft.holder) or draft.group is not None:
        return []
    if random.random() < 1 / 3:
        return []
    cycle.rating_asked_at = cycle.rated_at = draft.closed_at
    [rate] = random.choices((1, 2, 3), (1, 3, 8))
    cycle.rate = rate
    return [
        Rating(
            company=cycle.company,
            cycle=cycle,
            ticket=cycle.ticket,
            user=cycle.user,
            rate=rate,
            created_at=draft.closed_at,
        )
    ]


def _first_answer(rows: list[Message]) -> datetime | None:
    return next((row.created_at for row in rows if row.source in BY_PEOPLE), None)


def _link(
    demo: Demo,
    pairs: list[tuple[MessageDraft, Message]],
    tickets: list[tuple[Ticket, list[Message]]],
) -> None:
    row_of = {id(draft): row for draft, row in pairs}
    quoting, reactions = [], []
    for draft, row in pairs:
        if draft.quotes is not None:
            row.quoted = row_of[id(draft.quotes)]
            quoting.append(row)
        for from_me, emoji in draft.reactions:
            reactions.append(
                MessageReaction(
                    message=row,
                    from_me=from_me,
                    sender=None if from_me else row.contact,
                    emoji=emoji,
                    created_at=draft.at + timedelta(seconds=20),
                )
            )
    Message.objects.bulk_update(quoting, ["quoted"], batch_size=200)
    MessageReaction.objects.bulk_create(reactions)
    for ticket, rows in tickets:
        last = rows[-1]
        ticket.latest_message = last
        ticket.last_message = last.preview
    Ticket.objects.bulk_update(
        [ticket for ticket, _ in tickets], ["latest_message", "last_message"], batch_size=200
    )
    # bulk_create sets `updated_at` to now; it must be the time of the message.
    Message.objects.for_company(demo.company).update(updated_at=F("created_at"))
