"""Someone saves what a colleague deletes at that moment: it stays deleted."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.models import TimestampedModel
from apps.contacts.services import delete_contact, delete_tag
from apps.library.services import delete_quick_message
from tests.factories import make_contact, make_quick_message, make_tag

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

Maker = Callable[[User], tuple[TimestampedModel, str, Callable[[], None]]]


def contact(user: User) -> tuple[TimestampedModel, str, Callable[[], None]]:
    row = make_contact(user.company)
    return row, "contacts", lambda: delete_contact(contact=row, actor=user)


def tag(user: User) -> tuple[TimestampedModel, str, Callable[[], None]]:
    row = make_tag(user.company)
    return row, "tags", lambda: delete_tag(actor=user, tag_id=row.pk)


def quick_message(user: User) -> tuple[TimestampedModel, str, Callable[[], None]]:
    row = make_quick_message(user.company, user=user)
    pk = row.pk
    return row, "quick-messages", lambda: delete_quick_message(user=user, quick_message_id=pk)


def _wait_for_a_lock() -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with database.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
            if cursor.fetchone():
                return
        time.sleep(0.02)
    raise AssertionError("Nobody waits for a lock.")


@pytest.mark.parametrize("make", [contact, tag, quick_message])
def test_what_is_deleted_meanwhile_is_not_brought_back(admin: User, make: Maker) -> None:
    row, path, delete = make(admin)
    pk = row.pk

    def rename() -> Any:
        client = APIClient()
        client.force_authenticate(admin)
        body = {"name": "Outro nome", "shortcode": "outro"}
        try:
            return client.put(f"/api/{path}/{pk}", body, format="json")
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            delete()
            answer = pool.submit(rename)
            _wait_for_a_lock()
        assert answer.result(timeout=30).status_code == 404
    assert not type(row)._default_manager.filter(pk=pk).exists()
