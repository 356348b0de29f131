"""Random conversations for the reports."""

from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.costs.models import CostMeter, MessageCost
from apps.tickets.models import Message, Ticket, TicketTag, TrackingCycle
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_tag,
    make_ticket,
    make_user,
)

REASONS = ["", "Venda", "Dúvida"]
SOURCES = ["contact", "agent", "phone", "bot", "campaign"]


def fill(company: Company, random: Random, now: datetime, *, tickets: int = 30) -> None:
    """Make tickets of the last ten days, with one to three cycles each, messages and costs."""
    queues = [make_queue(company) for _ in range(2)]
    connections = [make_connection(company, queues=queues) for _ in range(2)]
    users = [make_user(company, queues=queues) for _ in range(2)]
    tags = [make_tag(company) for _ in range(2)]
    month = now.date().replace(day=1)
    meter, _ = CostMeter.objects.get_or_create(company=company, number="700", month=month)
    for _ in range(tickets):
        status = random.choice(["open", "pending", "closed", "closed"])
        ticket = make_ticket(
            company,
            contact=make_contact(company),
            connection=random.choice(connections),
            queue=random.choice([*queues, None]),
            user=random.choice(users) if status == "open" else None,
            status=status,
        )
        # Its own cycles follow.
        TrackingCycle.objects.filter(ticket=ticket).delete()
        TicketTag.objects.bulk_create(
            TicketTag(ticket=ticket, tag=tag) for tag in tags if random.random() < 0.4
        )
        at = now - timedelta(seconds=random.randrange(864_000))
        for left in reversed(range(random.randrange(1, 4))):
            at = _cycle(random, ticket, at, users, connections, is_last=left == 0)
        _said(random, ticket, now, meter)


def _cycle(
    random: Random,
    ticket: Ticket,
    at: datetime,
    users: list[User],
    connections: list[Connection],
    *,
    is_last: bool,
) -> datetime:
    """Make a cycle; return when the next one may begin."""

    def later(most: int) -> timedelta:
        # Also the bounds of the bands, to the microsecond.
        return random.choice(
            [
                timedelta(seconds=random.randrange(most)),
                timedelta(seconds=random.choice([60, 300, 900, 3600])),
                timedelta(seconds=60, microseconds=random.choice([-1, 1])),
            ]
        )

    is_live = is_last and ticket.status != "closed"
    is_held = ticket.status == "open" if is_live else random.random() < 0.8
    queued_at = at + random.choice([timedelta(0), later(4000)])
    started_at = queued_at + later(20_000) if is_held else None
    finished_at = None if is_live else (started_at or queued_at) + later(90_000)
    is_asked = not is_live and is_held and random.random() < 0.6
    TrackingCycle.objects.create(
        company=ticket.company,
        ticket=ticket,
        contact=ticket.contact,
        connection=random.choice([ticket.connection, *connections, None]),
        queue=None if is_live else random.choice([ticket.queue, None]),
        user=random.choice(users) if is_held else None,
        opened_at=random.choice([at, None]),
        queued_at=queued_at,
        started_at=started_at,
        first_answer_at=None if is_live or random.random() < 0.3 else queued_at + later(100_000),
        finished_at=finished_at,
        rating_asked_at=finished_at if is_asked else None,
        rate=random.randrange(1, 4) if is_asked and random.random() < 0.6 else None,
        closing_reason="" if is_live else random.choice(REASONS),
    )
    return (finished_at or queued_at) + timedelta(seconds=random.randrange(7200))


def _said(random: Random, ticket: Ticket, now: datetime, meter: CostMeter) -> None:
    begins = list(TrackingCycle.objects.filter(ticket=ticket).values_list("queued_at", flat=True))
    for _ in range(random.randrange(8)):
        near = random.choice([0, random.randrange(-3000, 90_000)])
        at = random.choice(begins) + timedelta(seconds=near)
        source = random.choice(SOURCES)
        message = make_message(ticket, from_me=source != "contact", source=source)
        Message.objects.filter(pk=message.pk).update(created_at=at)
        if source != "contact" and random.random() < 0.5:
            MessageCost.objects.create(
                message_id=message.pk,
                company=ticket.company,
                meter=meter,
                ticket=ticket,
                source=source,
                category="UTILITY",
                is_billable=True,
                amount=random.choice([Decimal("0.05"), Decimal("0.1"), None]),
                currency="BRL",
                delivered_at=at,
                delivered_on=at.date(),
            )
