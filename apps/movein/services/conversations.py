"""Taking over tickets with their cycles, ratings and tags (rules/moving-in §5)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db.models import Max

from apps.common.bulk import update_rows
from apps.contacts.models import TicketNote
from apps.movein.mapping import tickets as mapping
from apps.movein.mapping.extras import note_of
from apps.movein.mapping.values import key, text
from apps.movein.models import LegacyRow
from apps.movein.readers import CHUNK, Row
from apps.movein.services.companies import insert_numbered, own
from apps.movein.services.run import Key, Ref, Run
from apps.tickets.models import (
    DaySums,
    Message,
    Rating,
    Ticket,
    TicketStatus,
    TicketTag,
    TrackingCycle,
)
from apps.tickets.services.tickets.days import forget_days

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
Told = tuple[Row, dict[str, Any], dict[str, Any]]


def take_tickets(run: Run, rows: list[Row]) -> None:
    told = _with_references(run, rows)
    ids = [row["id"] for row, _, _ in told]
    numbers = run.number(Ticket, ids, table="Tickets")
    for row, fields, _ in told:
        fields["pk"] = numbers[row["id"]]
    _free_uuids(run, told)
    _close_doubles(run, told)
    cycles = _by_ticket(run, "TicketTraking", ids, ("ticketId", "id"))
    ratings = _by_ticket(run, "UserRatings", ids, ("ticketId", "id"))
    people = [each for found in (cycles, ratings) for every in found.values() for each in every]
    users = run.refs("Users", (each.get("userId") for each in (*people, *rows)))
    lines = run.refs("Whatsapps", (each.get("whatsappId") for each in (*people, *rows)))
    made: list[Ticket] = []
    passes: list[tuple[Ticket, mapping.Pass]] = []
    for row, fields, references in told:
        own_cycles, own_ratings = cycles[row["id"]], ratings[row["id"]]
        found = mapping.passes_of(fields, row, own_cycles, own_ratings, run.remarks)
        ticket = Ticket(**fields, **references)
        made.append(ticket)
        passes += [(ticket, each) for each in found]
        run.remember("Tickets", row["id"], ticket.pk, ticket.company_id)
    run.insert(made)
    run.count(made=len(made))
    _store_passes(run, passes, users, lines)
    run.count("TicketTraking", read=sum(map(len, cycles.values())))
    run.count("UserRatings", read=sum(map(len, ratings.values())))
    _tag(run, {row["id"]: fields["pk"] for row, fields, _ in told})


def _with_references(run: Run, rows: Sequence[Row]) -> list[Told]:
    contacts = run.refs("Contacts", (each.get("contactId") for each in rows))
    companies = run.refs("Companies", (each.get("companyId") for each in rows))
    lines = run.refs("Whatsapps", (each.get("whatsappId") for each in rows))
    users = run.refs("Users", (each.get("userId") for each in rows))
    queues = run.refs("Queues", (each.get("queueId") for each in rows))
    kept = []
    for row in rows:
        contact = contacts.get(key(row.get("contactId")) or 0)
        if contact is None or contact.company_id is None:
            run.leave("ticket_without_contact", row["id"])
            continue
        if channel := other_channel(row):
            run.leave("other_channel", channel)
            continue
        company = companies.get(key(row.get("companyId")) or 0)
        if company is not None and company.our_id != contact.company_id:
            run.leave("ticket_over_companies", row["id"])
            continue
        fields = mapping.ticket_of(row, run.remarks, run.now)
        user = own(users.get(key(row.get("userId")) or 0), contact.company_id)
        if fields["status"] == TicketStatus.OPEN and user is None:
            fields["status"] = TicketStatus.PENDING
        references = {
            "company_id": contact.company_id,
            "contact_id": contact.our_id,
            "connection_id": own(lines.get(key(row.get("whatsappId")) or 0), contact.company_id),
            "user_id": user if fields["status"] != TicketStatus.PENDING else None,
            "queue_id": own(queues.get(key(row.get("queueId")) or 0), contact.company_id),
        }
        kept.append((row, fields, references))
    return kept


def other_channel(row: Row) -> str:
    """Return the channel of a row that is not WhatsApp's."""
    channel = text(row.get("channel"), 50).strip().lower()
    return "" if channel == "whatsapp" else channel


def _free_uuids(run: Run, told: Sequence[Told]) -> None:
    """Keep uuids that are free: those of one line of forks were computed once at its start."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = Ticket.objects.filter(uuid__in=[each[0] for each in keys])
        return {(str(name),): pk for name, pk in rows.values_list("uuid", "pk")}

    wanted = [(str(fields["uuid"]),) for _, fields, _ in told if fields["uuid"] is not None]
    taken = run.holders("uuid", wanted, stored)
    for row, fields, _ in told:
        name = (str(fields["uuid"]),)
        if fields["uuid"] is None or name in taken:
            if fields["uuid"] is not None:
                run.remarks.add("uuid_anew", row["id"])
            fields["uuid"] = uuid4()
            name = (str(fields["uuid"]),)
        taken[name] = fields["pk"]
        run.hold("uuid", name, fields["pk"])


def _close_doubles(run: Run, told: Sequence[Told]) -> None:
    """Of two live tickets of a contact and connection the one that changed last stays live."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = Ticket.objects.filter(contact__in={each[1] for each in keys}, status__in=LIVE)
        found = rows.values_list("connection_id", "contact_id", "pk")
        return {(line, contact): pk for line, contact, pk in found}

    live: dict[Key, Told] = {}
    for each in told:
        _, fields, references = each
        if fields["status"] not in LIVE or references["connection_id"] is None:
            continue
        place = (references["connection_id"], references["contact_id"])
        other = live.get(place)
        if other is not None:
            older = min(other, each, key=lambda one: one[1]["updated_at"])
            _close(older[1])
            run.remarks.add("two_live", older[0]["id"])
            live[place] = each if older is other else other
        else:
            live[place] = each
    earlier = run.holders("live", live, stored)
    changed = dict(Ticket.objects.filter(pk__in=earlier.values()).values_list("pk", "updated_at"))
    for place, each in live.items():
        pk = earlier.get(place)
        if pk is not None:
            run.remarks.add("two_live", each[0]["id"])
            if pk in changed and changed[pk] > each[1]["updated_at"]:
                _close(each[1])
                continue
            _close_stored(run, pk, changed.get(pk, run.now))
        run.hold("live", place, each[1]["pk"])


def _close(fields: dict[str, Any]) -> None:
    fields |= {"status": TicketStatus.CLOSED, "unread_count": 0}


def _close_stored(run: Run, pk: int, at: datetime) -> None:
    if run.is_dry:
        return
    Ticket.objects.filter(pk=pk).update(status=TicketStatus.CLOSED, closed_at=at, unread_count=0)
    unfinished = TrackingCycle.objects.filter(ticket=pk, finished_at=None)
    for cycle in unfinished:
        ended = max(at, cycle.started_at or cycle.queued_at)
        unfinished.filter(pk=cycle.pk).update(finished_at=ended)


def _by_ticket(
    run: Run, table: str, ids: Sequence[int], order: Sequence[str]
) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in run.reader.find(table, "ticketId", ids, order=order):
        found[row["ticketId"]].append(row)
    return found


def _store_passes(
    run: Run,
    passes: Sequence[tuple[Ticket, mapping.Pass]],
    users: dict[int, Ref],
    lines: dict[int, Ref],
) -> None:
    cycles: list[TrackingCycle] = []
    ratings: list[Rating] = []
    queued: dict[int, list[datetime]] = defaultdict(list)
    for pk, (ticket, told) in zip(run.fresh(TrackingCycle, len(passes)), passes, strict=True):
        company = ticket.company_id
        user = own(users.get(key(told.user_id) or 0), company)
        is_over = told.fields["finished_at"] is not None
        cycles.append(
            TrackingCycle(
                pk=pk,
                company_id=company,
                ticket_id=ticket.pk,
                contact_id=ticket.contact_id,
                queue_id=ticket.queue_id if is_over else None,
                connection_id=own(lines.get(key(told.connection_id) or 0), company),
                # One that waits is nobody's.
                user_id=user if is_over or told.fields["started_at"] else None,
                **told.fields,
            )
        )
        queued[company].append(told.fields["queued_at"])
        for row in told.ratings:
            rater = own(users.get(key(row.get("userId")) or 0), company)
            ratings.append(
                Rating(
                    company_id=company,
                    cycle_id=pk,
                    ticket_id=ticket.pk,
                    user_id=rater if rater is not None else user,
                    rate=told.fields["rate"],
                    created_at=told.fields["rated_at"],
                )
            )
        if told.legacy_id is not None:
            run.remember("TicketTraking", told.legacy_id, pk, company)
    run.insert(cycles)
    insert_numbered(run, ratings)
    run.count("TicketTraking", made=len(cycles))
    run.count("UserRatings", made=len(ratings))
    if not run.is_dry:
        kept = DaySums.objects.filter(company__in=queued).order_by()
        for company in set(kept.values_list("company_id", flat=True)):
            forget_days(company, queued[company])


def _tag(run: Run, numbers: dict[int, int]) -> None:
    rows = run.reader.find("TicketTags", "ticketId", list(numbers), order=("ticketId", "tagId"))
    tags = run.refs("Tags", (each.get("tagId") for each in rows))
    tickets = run.refs("Tickets", numbers)
    pairs: dict[tuple[int, int], None] = {}
    broken = 0
    for row in rows:
        tag, ticket = tags.get(key(row.get("tagId")) or 0), tickets[row["ticketId"]]
        if tag is None or tag.company_id != ticket.company_id:
            run.leave("pair_broken", table="TicketTags")
            broken += 1
        else:
            pairs[ticket.our_id, tag.our_id] = None
    insert_numbered(run, [TicketTag(ticket_id=ticket, tag_id=tag) for ticket, tag in pairs])
    repeated = len(rows) - broken - len(pairs)
    run.count("TicketTags", read=len(rows), made=len(pairs), merged=repeated)


def take_contact_tags(run: Run, rows: list[Row]) -> None:
    """Put a contact's tag on its live ticket, because ours have none."""
    contacts = run.refs("Contacts", (each.get("contactId") for each in rows))
    tags = run.refs("Tags", (each.get("tagId") for each in rows))
    live = (
        {}
        if run.is_dry
        else dict(
            Ticket.objects.filter(
                contact__in=[each.our_id for each in contacts.values()], status__in=LIVE
            )
            .order_by("pk")
            .values_list("contact_id", "pk")
        )
    )
    pairs: dict[tuple[int, int], None] = {}
    for row in rows:
        contact = contacts.get(key(row.get("contactId")) or 0)
        tag = tags.get(key(row.get("tagId")) or 0)
        ticket = live.get(contact.our_id) if contact else None
        if contact is None or tag is None or contact.company_id != tag.company_id:
            run.leave("pair_broken")
        elif run.is_dry:
            run.remarks.add("contact_tag")
        elif ticket is None:
            run.leave("contact_tag_lost")
        else:
            run.remarks.add("contact_tag")
            pairs[ticket, tag.our_id] = None
    present = set(
        TicketTag.objects.filter(ticket__in={each[0] for each in pairs}).values_list(
            "ticket_id", "tag_id"
        )
    )
    new = [each for each in pairs if each not in present]
    insert_numbered(run, [TicketTag(ticket_id=ticket, tag_id=tag) for ticket, tag in new])
    run.count(made=len(new), merged=len(pairs) - len(new))


def take_notes(run: Run, rows: list[Row]) -> None:
    contacts = run.refs("Contacts", (each.get("contactId") for each in rows))
    tickets = run.refs("Tickets", (each.get("ticketId") for each in rows))
    users = run.refs("Users", (each.get("userId") for each in rows))
    numbers = run.number(TicketNote, [each["id"] for each in rows], table="TicketNotes")
    made = []
    for row in rows:
        contact = contacts.get(key(row.get("contactId")) or 0)
        fields = note_of(row, run.now)
        if contact is None or contact.company_id is None or fields is None:
            run.leave("note_empty_or_without_contact", row["id"])
            continue
        company, pk = contact.company_id, numbers[row["id"]]
        made.append(
            TicketNote(
                pk=pk,
                company_id=company,
                contact_id=contact.our_id,
                ticket_id=own(tickets.get(key(row.get("ticketId")) or 0), company),
                user_id=own(users.get(key(row.get("userId")) or 0), company),
                **fields,
            )
        )
        run.remember("TicketNotes", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def tickets_taken(run: Run, after: Any) -> Iterator[Row]:
    """Yield the tickets of this source, for the pass that shows their latest messages."""
    last = after[0] if after else 0
    taken = LegacyRow.objects.filter(source=run.source, table="Tickets").order_by("pk")
    while found := list(taken.filter(pk__gt=last).values("pk", "our_id")[:CHUNK]):
        yield from ({"id": each["pk"], "ticket": each["our_id"]} for each in found)
        last = found[-1]["pk"]


def show_latest(run: Run, rows: list[Row]) -> None:
    """Set the latest message of tickets, and when the contact last wrote."""
    ids = [each["ticket"] for each in rows]
    messages = Message.objects.filter(ticket__in=ids).order_by().values("ticket")
    latest = dict(messages.annotate(last=Max("pk")).values_list("ticket", "last"))
    heard = dict(
        messages.filter(from_me=False)
        .annotate(last=Max("created_at"))
        .values_list("ticket", "last")
    )
    shown = Message.objects.in_bulk(list(latest.values()))
    changed = []
    for ticket in Ticket.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"):
        message = shown.get(latest.get(ticket.pk, 0))
        if message is None or (ticket.latest_message_id or 0) > message.pk:
            continue
        ticket.latest_message, ticket.last_message = message, message.preview
        ticket.last_inbound_at = heard.get(ticket.pk)
        changed.append(ticket)
    update_rows(changed, ["latest_message", "last_message", "last_inbound_at"])
