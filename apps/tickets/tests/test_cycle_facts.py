"""What the database computes of a cycle."""

from datetime import timedelta
from itertools import product
from random import Random

import pytest
from django.utils import timezone

from apps.companies.models import Company
from apps.tickets.models import TrackingCycle
from tests.factories import make_ticket

pytestmark = pytest.mark.django_db


def test_the_database_keeps_how_long_a_cycle_took(acme: Company) -> None:
    random = Random(7)
    began_at = timezone.now().replace(microsecond=0)
    moments = [None, began_at, began_at.replace(month=2, day=28, microsecond=1)]
    moments += [
        began_at + timedelta(microseconds=random.randrange(-(10**13), 10**13)) for _ in "ab"
    ]
    ticket = make_ticket(acme, status="closed")
    for started_at, answered_at, finished_at in product(moments, repeat=3):
        TrackingCycle.objects.create(
            company=acme,
            ticket=ticket,
            contact=ticket.contact,
            queued_at=random.choice([each for each in moments if each]),
            started_at=started_at,
            first_answer_at=answered_at,
            finished_at=finished_at or began_at,
        )
    microsecond = timedelta(microseconds=1)
    cycles = list(TrackingCycle.objects.all())
    assert len(cycles) == 125
    for cycle in cycles:
        for kept, end, start in (
            (cycle.support_microseconds, cycle.finished_at, cycle.started_at),
            (cycle.wait_microseconds, cycle.started_at, cycle.queued_at),
            (cycle.answer_microseconds, cycle.first_answer_at, cycle.queued_at),
        ):
            assert kept == ((end - start) // microsecond if end and start else None)
