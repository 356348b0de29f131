"""A company with rules, a ticket, and what happens to it; for the tests of rules."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.models import Rule, RuleRun, RuleTicket
from apps.desk.services.known import known
from apps.desk.services.rules.contents import refused
from apps.desk.tests.conftest import make_due, work
from apps.queues.models import Queue
from apps.tickets.events import message_created
from apps.tickets.models import Message, Ticket, TicketTag
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import (
    make_message,
    make_ticket,
)

MINUTE = timedelta(minutes=1)
AddRule = Callable[..., Rule]


@pytest.fixture
def acme(acme: Company) -> Iterator[Company]:
    """Acme, with rules on and nothing distributed."""
    CompanySetting.objects.all().delete()
    CompanySetting.objects.create(company=acme, key="rules", value="enabled")
    known.forget()
    refused.clear()
    yield acme
    refused.clear()
    known.be_sure_of_none()


@pytest.fixture
def add_rule(acme: Company) -> AddRule:
    """Return a function that switches a rule on, a minute ago."""

    def build(when: str, *actions: dict[str, Any], **fields: Any) -> Rule:
        trigger = {"when": when, **fields.pop("trigger", {})}
        fields.setdefault("name", "Regra")
        fields.setdefault("position", Rule.objects.count() + 1)
        fields.setdefault("since", timezone.now() - MINUTE)
        return Rule.objects.create(
            company=acme, when=when, trigger=trigger, actions=list(actions), **fields
        )

    return build


@pytest.fixture
def ticket(acme: Company, queue: Queue, connection: Connection, agent: User) -> Ticket:
    """An open ticket whose contact has written, known to no rule yet."""
    ticket = make_ticket(
        acme,
        queue=queue,
        connection=connection,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )
    ticket.queued_at = timezone.now() - 10 * MINUTE
    ticket.save(update_fields=["queued_at"])
    return ticket


def hear(ticket: Ticket, body: str = "Oi", **fields: Any) -> Message:
    """Have somebody write, as all are told of it, and do what that starts."""
    message = make_message(ticket, body=body, **fields)
    ticket.refresh_from_db()
    message_created(message)
    work()
    ticket.refresh_from_db()
    return message


def tags_of(ticket: Ticket) -> set[int]:
    return set(TicketTag.objects.filter(ticket=ticket).values_list("tag_id", flat=True))


def runs() -> list[tuple[str, str]]:
    return list(RuleRun.objects.order_by("pk").values_list("rule__name", "refusal"))


def change(user: User, ticket: Ticket, **wanted: Any) -> Ticket:
    return update_ticket(user=user, ticket_id=ticket.pk, change=TicketChange.of(wanted))


def set_back(minutes: int) -> None:
    """Have what was said have been said earlier, and what is planned be due."""
    for row in RuleTicket.objects.all():
        for name in ("our_word_at", "unanswered_since", "seen_until"):
            moment = getattr(row, name)
            setattr(row, name, moment - minutes * MINUTE if moment else None)
        row.save()
    Rule.objects.update(since=timezone.now() - 2 * minutes * MINUTE)
    make_due()
