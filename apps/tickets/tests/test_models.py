import pytest
from django.db import IntegrityError

from apps.companies.models import Company
from apps.connections.models import Connection
from tests.factories import make_contact, make_ticket


def test_a_contact_has_one_live_ticket_on_a_connection(
    acme: Company, connection: Connection
) -> None:
    contact = make_contact(acme)
    make_ticket(acme, contact=contact, connection=connection, status="closed")
    make_ticket(acme, contact=contact, connection=connection)
    with pytest.raises(IntegrityError):
        make_ticket(acme, contact=contact, connection=connection)
