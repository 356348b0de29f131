"""Finds connection and ticket of messages that are not written in a conversation: schedules,
campaigns.
"""

from collections.abc import Sequence

from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from apps.connections.models import Connection, ConnectionQueue
from apps.contacts.models import Contact
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.services.window import OutsideWindow, is_window_open


def latest_connection_of(contact: Contact) -> Connection | None:
    """Return the connection of the contact's latest conversation, else the company's default.

    None when there is neither (rules/schedules §3).
    """
    latest = (
        Ticket.objects.for_company(contact.company_id)
        .filter(contact=contact, connection__isnull=False)
        .order_by("-updated_at", "-id")
        .select_related("connection")
        .first()
    )
    if latest is not None:
        return latest.connection
    return Connection.objects.for_company(contact.company_id).filter(is_default=True).first()


def check_window(*, contact: Contact, connection: Connection) -> None:
    """Raise OutsideWindow unless free text may go to the contact; no ticket has to exist."""
    # The window belongs to the conversation, not to one of its tickets.
    conversation = Ticket(company_id=contact.company_id, contact=contact, connection=connection)
    if not is_window_open(conversation, connection):
        raise OutsideWindow


def ticket_for_sending(
    *, contact: Contact, connection: Connection, for_campaign: bool = False
) -> Ticket:
    """Return a contact's ticket to send in: `tickets_for_sending` for one."""
    tickets = tickets_for_sending(
        contacts=[contact], connection=connection, for_campaign=for_campaign
    )
    return tickets[contact.pk]


def tickets_for_sending(
    *, contacts: Sequence[Contact], connection: Connection, for_campaign: bool = False
) -> dict[int, Ticket]:
    """Return the live or newest ticket on a connection by contact id, locked until commit.

    A contact without a ticket gets a closed one, so that it appears in nobody's list; an answer
    reopens it. `for_campaign` marks it, so that nobody sees it as an attendance before that
    (rules/campaigns §5). The number of statements is constant. Call it in a transaction.
    """
    latest = _latest(contacts, connection)
    lacking = [contact.pk for contact in contacts if contact.pk not in latest]
    if lacking:
        # The lock of the contact's row prevents two tickets from concurrent calls. Contacts are
        # locked before tickets, as in merges.
        rows = Contact.objects.select_for_update(no_key=True).filter(pk__in=lacking)
        list(rows.order_by("pk").values_list("pk", flat=True))
        latest = _latest(contacts, connection)
    tickets = _locked(latest, contacts, connection)
    missing = [contact for contact in contacts if contact.pk not in tickets]
    return {**tickets, **_create_closed(missing, connection, for_campaign)}


def _latest(contacts: Sequence[Contact], connection: Connection) -> dict[int, int]:
    """Return the id of the live or newest ticket by contact id."""
    is_live = Case(
        When(status=TicketStatus.CLOSED, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    tickets = Ticket.objects.for_company(connection.company_id).filter(
        contact__in=[contact.pk for contact in contacts], connection=connection
    )
    # The dictionary keeps the last row of each contact.
    return dict(tickets.order_by(is_live, "id").values_list("contact_id", "pk"))


def _locked(
    latest: dict[int, int], contacts: Sequence[Contact], connection: Connection
) -> dict[int, Ticket]:
    """Return tickets by contact id, locked in one statement and a fixed order."""
    people = {contact.pk: contact for contact in contacts}
    # No joins: after waiting for a lock, PostgreSQL would combine the new row with the relations of
    # the old one.
    rows = (
        Ticket.objects.filter(pk__in=latest.values(), connection=connection)
        .select_for_update(no_key=True)
        .prefetch_related("queue", "user")
        .order_by("pk")
    )
    tickets = {}
    for ticket in rows:
        if ticket.contact_id in people:
            ticket.contact, ticket.connection = people[ticket.contact_id], connection
            tickets[ticket.contact_id] = ticket
    return tickets


def _create_closed(
    contacts: Sequence[Contact], connection: Connection, for_campaign: bool
) -> dict[int, Ticket]:
    if not contacts:
        return {}
    links = list(ConnectionQueue.objects.filter(connection=connection).select_related("queue")[:2])
    now = timezone.now()
    tickets = Ticket.objects.bulk_create(
        Ticket(
            company_id=connection.company_id,
            connection=connection,
            contact=contact,
            queue=links[0].queue if len(links) == 1 else None,
            status=TicketStatus.CLOSED,
            is_group=contact.is_group,
            unanswered_campaign=for_campaign,
            created_at=now,
            updated_at=now,
            closed_at=now,
        )
        for contact in contacts
    )
    return {ticket.contact_id: ticket for ticket in tickets}
