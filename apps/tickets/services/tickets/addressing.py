"""Where a message goes that nobody writes in a conversation: a schedule's, a campaign's."""

from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from apps.connections.models import Connection, ConnectionQueue
from apps.contacts.models import Contact
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.services.tickets.window import OutsideWindow, is_window_open


def latest_connection_of(contact: Contact) -> Connection | None:
    """Return the connection on which the contact was last spoken to, else the company's default.

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
    # The window belongs to the conversation, whichever of its tickets.
    conversation = Ticket(company_id=contact.company_id, contact=contact, connection=connection)
    if not is_window_open(conversation, connection):
        raise OutsideWindow


def ticket_for_sending(*, contact: Contact, connection: Connection) -> Ticket:
    """Return the contact's live or newest ticket on a connection, locked until commit.

    Nothing is opened: a contact without one gets a ticket that is born closed, so that it waits in
    nobody's list; an answer opens it as it opens any other. Call it in a transaction.
    """
    found = _locked_latest(contact, connection)
    if found is not None:
        return found
    # Two at once make one ticket: the contact's row is their meeting point.
    Contact.objects.select_for_update(no_key=True).filter(pk=contact.pk).first()
    return _locked_latest(contact, connection) or _create_closed(contact, connection)


def _locked_latest(contact: Contact, connection: Connection) -> Ticket | None:
    is_closed = Case(
        When(status=TicketStatus.CLOSED, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    return (
        Ticket.objects.for_company(contact.company_id)
        .filter(contact=contact, connection=connection)
        .select_for_update(no_key=True)
        .order_by(is_closed, "-id")
        .first()
    )


def _create_closed(contact: Contact, connection: Connection) -> Ticket:
    links = list(ConnectionQueue.objects.filter(connection=connection)[:2])
    now = timezone.now()
    return Ticket.objects.create(
        company_id=contact.company_id,
        connection=connection,
        contact=contact,
        queue_id=links[0].queue_id if len(links) == 1 else None,
        status=TicketStatus.CLOSED,
        is_group=contact.is_group,
        created_at=now,
        updated_at=now,
        closed_at=now,
    )
