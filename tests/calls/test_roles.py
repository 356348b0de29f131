"""Every call, tried with each permission that it needs missing, and with no other one."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.accounts.permissions import ALL, OF_USERS, PAGES, Page, Permission
from apps.companies.models import Company
from apps.queues.models import Queue
from config.access import NEEDS, OF_BODY, WHOLE
from conftest import ClientFor
from tests.calls.test_tenancy import ABOVE, LISTED, PROTECTED, call
from tests.factories import make_role, make_user
from tests.tenancy_rows import ROWS
from tests.worlds import World

MISSING = [(key, permission) for key in PROTECTED for permission in sorted(LISTED[key].permissions)]
# It decides which tickets there are: see `apps/tickets/tests/test_roles.py`, which also tries what
# `OF_BODY` names.
OF_TICKETS = {Permission.SEE_QUEUES}
# It widens what the calls of reports show: see `apps/reports/tests/test_reach.py`.
OF_REPORTS = {Permission.QUEUE_REPORTS}
# What it tries decides what is needed besides: see `apps/desk/tests/test_rehearsals.py`.
BY_SUBJECT = {"rehearsals", "rehearsal"}
OWN_ROLES = [key for key in ABOVE if LISTED[key].permissions and key[0] not in BY_SUBJECT]


def someone(company: Company, permissions: frozenset[Permission], **fields: Any) -> User:
    return make_user(company, role=make_role(company, *permissions), **fields)


@pytest.mark.parametrize(
    ("key", "permission"),
    MISSING,
    ids=[f"{' '.join(key)} without {permission}" for key, permission in MISSING],
)
def test_without_one_of_its_permissions_a_call_is_refused(
    client_for: ClientFor,
    world: World,
    acme: Company,
    key: tuple[str, str],
    permission: Permission,
) -> None:
    row = ROWS[key]
    caller = someone(acme, ALL - {permission})
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")


@pytest.mark.every_case
@pytest.mark.parametrize("key", OWN_ROLES, ids=" ".join)
def test_its_permissions_alone_add_a_call_to_what_a_user_may(
    client_for: ClientFor, world: World, acme: Company, queue: Queue, key: tuple[str, str]
) -> None:
    """With the tickets of all queues besides: the caller is in none of the ticket's."""
    row = ROWS[key]
    granted = LISTED[key].permissions | OF_USERS | {Permission.SEE_ALL}
    caller = someone(acme, granted, queues=[queue])
    answer = call(client_for(caller), key[1], row.path, row.body, world)
    assert answer.status_code in row.least, answer.content


def test_every_permission_is_needed_by_a_call() -> None:
    needed = {
        permission
        for needs in NEEDS.values()
        if needs.permissions != set(WHOLE)
        for permission in needs.permissions
    }
    needed |= {permission for of_body in OF_BODY.values() for permission in of_body}
    assert needed | OF_TICKETS | OF_REPORTS | {Permission.FULL_NUMBER} == ALL


def test_what_a_body_needs_is_of_a_call_and_is_not_needed_by_it_anyway() -> None:
    for key, of_body in OF_BODY.items():
        assert key in NEEDS
        assert not of_body & NEEDS[key].permissions, key


def test_every_page_that_needs_a_permission_names_it() -> None:
    assert set(PAGES) == set(Page)
