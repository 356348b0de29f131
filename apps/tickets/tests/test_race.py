from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection as database

from apps.accounts.models import User
from apps.tickets.models import Ticket, TicketActivity
from apps.tickets.services.tickets.transitions import TicketAlreadyTaken, TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_company, make_connection, make_queue, make_ticket, make_user


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_wins_and_the_other_is_told() -> None:
    company = make_company()
    queue = make_queue(company)
    make_connection(company)
    people = [make_user(company, queues=[queue]) for _ in range(2)]
    for _ in range(5):
        ticket = make_ticket(company, queue=queue)
        start = Barrier(2)

        def accept(user: User, ticket: Ticket = ticket, start: Barrier = start) -> str:
            change = TicketChange.of({"status": "open", "user_id": user.pk})
            start.wait(timeout=10)
            try:
                update_ticket(user=user, ticket_id=ticket.pk, change=change)
            except TicketAlreadyTaken:
                return "told"
            else:
                return "won"
            finally:
                database.close()

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(accept, people))
        ticket.refresh_from_db()
        assert sorted(results) == ["told", "won"]
        assert ticket.user_id == people[results.index("won")].pk
        assert TicketActivity.objects.filter(ticket=ticket).count() == 1
