"""What supervisors do with people and their tickets (rules/desk §4 and §7)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.bulk import update_rows
from apps.common.errors import DomainError, InvalidInput
from apps.contacts.models import Tag
from apps.desk.decisions.assignment import Why
from apps.desk.models import Assignment, Seat
from apps.desk.services import ticks
from apps.desk.services.following import because
from apps.desk.services.known import known
from apps.desk.services.presence import locked_seat
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.services.rights import locked_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket

WEIGHTS = frozenset({"whatsapp_weight", "call_weight"})


class TicketMoved(DomainError):
    """Somebody else has moved or resolved the ticket since the caller saw it."""

    status = 409
    code = "ERR_TICKET_MOVED"
    message = "Outra pessoa moveu ou resolveu este atendimento. Veja com quem ele está agora."


def move_ticket(
    *,
    actor: User,
    ticket_id: int,
    from_user_id: int | None,
    to_user_id: int | None,
    note: str = "",
) -> Ticket:
    """Give a ticket to another person, or back to its queue, with a note for the team.

    Raises TicketMoved when it is closed, or not with whom the caller saw it, and what
    `update_ticket` raises.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=actor, ticket_id=ticket_id)
        # Who resolved a ticket stays with it.
        if ticket.status == TicketStatus.CLOSED or ticket.user_id != from_user_id:
            raise TicketMoved
        change = TicketChange(
            status=None,
            user_id=to_user_id,
            clears_user=to_user_id is None,
            queue_id=None,
            connection_id=None,
            bot={},
            note=note,
        )
        with because(Why.SUPERVISOR, actor=actor):
            return update_ticket(user=actor, ticket_id=ticket_id, change=change)


def change_seat(
    *, actor: User, user_id: int, fields: Mapping[str, Any], ip_address: str | None = None
) -> Seat:
    """Change what a person can take: capacity, weights, hours and skills (`skill_ids`), audited.

    Raises PersonNotFound, and InvalidInput for a tag of another company.
    """
    company_id, values = actor.company_id, dict(fields)
    skill_ids = values.pop("skill_ids", None)
    with transaction.atomic():
        rows: list[Assignment] = []
        if values.keys() & WEIGHTS:
            # Lock order: tickets, their assignments, seats.
            held = Assignment.objects.for_company(company_id).filter(user=user_id, points__gt=0)
            tickets = Ticket.objects.filter(pk__in=held.values("pk")).order_by("pk")
            list(tickets.select_for_update(no_key=True).values_list("pk"))
            rows = list(held.order_by("pk").select_for_update(no_key=True))
        seat = locked_seat(company_id=company_id, user_id=user_id)
        for name, value in values.items():
            setattr(seat, name, value)
        for row in rows:
            points = seat.weights[row.channel]
            seat.load, row.points = seat.load + points - row.points, points
        update_rows(rows, ["points"])
        seat.save(update_fields=[*values, "load"])
        if skill_ids is not None:
            _set_skills(seat, skill_ids)
        record(
            action="user.seat_changed",
            actor=actor,
            company_id=company_id,
            target=seat.user,
            detail={"name": seat.user.name, "capacity": seat.capacity},
            ip_address=ip_address,
        )
        ticks.give_for(company_id, [user_id])
        return seat


def _set_skills(seat: Seat, tag_ids: list[int]) -> None:
    found = Tag.objects.for_company(seat.company_id).filter(pk__in=tag_ids)
    if found.count() < len(set(tag_ids)):
        sentence = "Uma das tags não existe nesta empresa."
        raise InvalidInput(sentence, fields={"skillIds": [sentence]}, rule="does_not_exist")
    seat.skills.set(tag_ids)


def note_queues(user: User) -> None:
    """Have the queues of a user looked at, because the user has others now."""
    if known.is_on(user.company_id):
        ticks.give_for(user.company_id, [user.pk])
