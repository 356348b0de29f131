from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.schedules.events import SCHEDULE
from apps.schedules.models import Schedule
from apps.tickets.models import Ticket
from tests.events import Listeners, Told
from tests.factories import make_contact, make_schedule, make_ticket

Make = Callable[..., Schedule]


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    """What the app told browsers, also under the older name."""
    seen: list[Told] = []
    listeners.append(lambda each: seen.append(each) if each.event.endswith(SCHEDULE.name) else None)
    return seen


@pytest.fixture
def contact(acme: Company) -> Contact:
    return make_contact(acme, name="Maria Souza", number="5511984321107")


@pytest.fixture
def ticket(acme: Company, connection: Connection, contact: Contact) -> Ticket:
    """A conversation whose 24-hour window is open."""
    return make_ticket(
        acme,
        contact=contact,
        connection=connection,
        status="closed",
        last_inbound_at=timezone.now() - timedelta(hours=1),
    )


@pytest.fixture
def due(acme: Company, contact: Contact) -> Make:
    """Return a function that makes a schedule whose time has come."""

    def make(**fields: Any) -> Schedule:
        fields.setdefault("contact", contact)
        fields.setdefault("send_at", timezone.now() - timedelta(seconds=1))
        return make_schedule(acme, **fields)

    return make


def later(**distance: float) -> datetime:
    return timezone.now() + timedelta(**distance)
