"""Taking over messages, their reactions and quotes, in the order in which they were written."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps.common.bulk import update_rows
from apps.movein.mapping import messages as mapping
from apps.movein.mapping.values import flag, key, moment, text
from apps.movein.readers import Row
from apps.movein.services.companies import insert_numbered, own
from apps.movein.services.conversations import other_channel
from apps.movein.services.run import Key, Ref, Run
from apps.tickets.models import Message, MessageReaction

# Most of the size of their tables, and of no use here.
LEFT_OUT = ("dataJson", "thumbnailUrl")
EMOJI_LENGTH = 40


class Place(NamedTuple):
    """Where a message belongs: all ids are ours."""

    company_id: int
    ticket_id: int
    contact_id: int
    connection_id: int | None
    is_group: bool


def places_of(run: Run, rows: Iterable[Row]) -> dict[int, Place]:
    """Return the places of messages by their ticket's id in theirs."""
    ids = {each["ticketId"] for each in rows if each.get("ticketId") is not None}
    tickets = run.refs("Tickets", ids)
    told = run.reader.find("Tickets", "id", sorted(tickets))
    contacts = run.refs("Contacts", (each.get("contactId") for each in told))
    lines = run.refs("Whatsapps", (each.get("whatsappId") for each in told))
    found = {}
    for row in told:
        ticket, contact = tickets[row["id"]], contacts.get(key(row.get("contactId")) or 0)
        if contact is None or ticket.company_id is None:
            continue
        line = own(lines.get(key(row.get("whatsappId")) or 0), ticket.company_id)
        found[row["id"]] = Place(
            ticket.company_id, ticket.our_id, contact.our_id, line, flag(row.get("isGroup"))
        )
    return found


def take_messages(run: Run, rows: list[Row]) -> None:
    places = places_of(run, rows)
    writers = run.refs("Contacts", (each.get("contactId") for each in rows))
    told: list[tuple[Row, Place]] = []
    reactions: list[tuple[Row, Place]] = []
    for row in rows:
        place = places.get(key(row.get("ticketId")) or 0)
        if place is None:
            run.leave("message_without_ticket")
        elif channel := other_channel(row):
            run.leave("other_channel", channel)
        else:
            (reactions if mapping.is_reaction(row) else told).append((row, place))
    wanted = [(place.connection_id, text(row["id"], mapping.LONGEST_ID)) for row, place in told]
    taken = run.holders("message", (each for each in wanted if each[0] is not None), _stored)
    made: list[Message] = []
    for pk, (row, place), name in zip(run.fresh(Message, len(told)), told, wanted, strict=True):
        if name in taken:
            run.count(merged=1)
            run.remarks.add("message_repeated", name[1])
            continue
        if place.connection_id is not None:
            taken[name] = pk
            run.hold("message", name, pk)
        message = Message(
            pk=pk,
            company_id=place.company_id,
            ticket_id=place.ticket_id,
            contact_id=place.contact_id,
            connection_id=place.connection_id,
            **mapping.message_of(row, run.remarks, run.now),
        )
        if place.is_group and not message.from_me:
            message.participant_id = own(
                writers.get(key(row.get("contactId")) or 0), place.company_id
            )
        message.fold_text()
        made.append(message)
    run.insert(made)
    run.count(made=len(made))
    _react(run, reactions, writers)


def _stored(keys: Sequence[Key]) -> dict[Key, int]:
    rows = Message.objects.filter(
        connection__in={each[0] for each in keys}, external_id__in={each[1] for each in keys}
    ).order_by()
    found = rows.values_list("connection_id", "external_id", "pk")
    return {(line, name): pk for line, name, pk in found}


def _react(run: Run, told: Sequence[tuple[Row, Place]], writers: dict[int, Ref]) -> None:
    """Put reactions on their messages; of one sender and message the last counts."""
    if not told:
        return
    names = {
        (place.connection_id, text(row.get("quotedMsgId"), mapping.LONGEST_ID))
        for row, place in told
        if place.connection_id is not None
    }
    found = run.holders("message", names, _stored)
    last: dict[tuple[int, bool, int | None], MessageReaction] = {}
    for row, place in told:
        target = found.get((place.connection_id, text(row.get("quotedMsgId"), mapping.LONGEST_ID)))
        from_me = flag(row.get("fromMe"))
        writer = own(writers.get(key(row.get("contactId")) or 0), place.company_id)
        sender = None if from_me else (writer if place.is_group else place.contact_id)
        if target is None or (sender is None and not from_me):
            run.leave("reaction_without_message")
            continue
        run.count(made=1)
        emoji = text(row.get("body"), EMOJI_LENGTH).strip()
        last[target, from_me, sender] = MessageReaction(
            message_id=target,
            from_me=from_me,
            sender_id=sender,
            # The older products write this word for a reaction that was taken back.
            emoji="" if emoji == "reaction" else emoji,
            created_at=moment(row.get("createdAt")) or run.now,
        )
    if run.is_dry:
        return
    present = MessageReaction.objects.filter(message__in={each[0] for each in last})
    replaced = [
        each.pk for each in present if (each.message_id, each.from_me, each.sender_id) in last
    ]
    MessageReaction.objects.filter(pk__in=replaced).delete()
    insert_numbered(run, [each for each in last.values() if each.emoji])


def link_quotes(run: Run, rows: list[Row]) -> None:
    """Set what messages answer, once all of them are there."""
    rows = [each for each in rows if not mapping.is_reaction(each)]
    places = places_of(run, rows)
    pairs: dict[tuple[Key, Key], None] = {}
    for row in rows:
        place = places.get(key(row.get("ticketId")) or 0)
        if place is not None and place.connection_id is not None:
            own_id, quoted = (
                (place.connection_id, text(row[each], mapping.LONGEST_ID))
                for each in ("id", "quotedMsgId")
            )
            pairs[own_id, quoted] = None
    found = run.holders("message", (each for pair in pairs for each in pair), _stored)
    changed: dict[int, Message] = {}
    for answer, original in pairs:
        if answer not in found or original not in found:
            run.remarks.add("quote_lost")
        elif found[answer] != found[original]:
            changed[found[answer]] = Message(pk=found[answer], quoted_id=found[original])
    update_rows(list(changed.values()), ["quoted"])
    run.count(made=len(changed))
