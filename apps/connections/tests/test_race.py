"""Two admins at once: the plan's last place and the default go to one of them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection as database

from apps.accounts.models import User
from apps.billing.services import PlanLimitReached
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services import create_connection, update_connection
from tests import factories

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("numbered"),
]


def at_once(*calls: Any) -> list[Any]:
    """Run calls side by side; return what each returned or raised."""
    barrier = Barrier(len(calls))

    def run(call: Any) -> Any:
        try:
            barrier.wait(10)
            return call()
        except Exception as error:
            return error
        finally:
            database.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def new(admin: User, digit: int) -> Any:
    return lambda: create_connection(
        actor=admin,
        values={
            "name": f"Loja {digit}",
            "provider": "official",
            "phone_number_id": f"10000000000077{digit}",
            "waba_id": "200000000000777",
            "access_token": "t",
        },
    )


def test_the_last_place_of_the_plan_is_taken_once(acme: Company, admin: User) -> None:
    acme.plan.connections = 1
    acme.plan.save()
    results = at_once(new(admin, 1), new(admin, 2))
    assert sorted(type(result).__name__ for result in results) == [
        Connection.__name__,
        PlanLimitReached.__name__,
    ]
    assert Connection.objects.count() == 1


def test_two_first_connections_have_one_default(acme: Company, admin: User) -> None:
    results = at_once(new(admin, 1), new(admin, 2))
    assert all(isinstance(result, Connection) for result in results)
    assert Connection.objects.filter(is_default=True).count() == 1


def test_two_choices_of_a_default_leave_one(acme: Company, admin: User) -> None:
    first, second, third = (factories.make_connection(acme) for _ in range(3))
    results = at_once(
        *(
            lambda chosen=chosen: update_connection(
                actor=admin, connection=chosen, values={"is_default": True}
            )
            for chosen in (second, third)
        )
    )
    assert all(isinstance(result, Connection) for result in results)
    assert Connection.objects.filter(is_default=True).count() == 1
    first.refresh_from_db()
    assert not first.is_default
