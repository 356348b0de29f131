"""Someone writes what, or about what, a colleague deletes at that moment: it stays deleted."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.models import TimestampedModel
from apps.contacts.models import Tag, TicketNote
from apps.contacts.services import delete_contact, delete_tag
from apps.library.services.quick_messages import delete_quick_message
from apps.schedules.models import Schedule
from apps.tickets.models import TicketTag
from apps.tickets.services.tickets.tagging import add_tag
from tests.factories import make_contact, make_quick_message, make_tag, make_ticket
from tests.product import wait_for
from tests.test_crash import is_waited_for

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


def _meanwhile(delete: Callable[[], None], write: Callable[[APIClient], Any]) -> Any:
    """Return the answer to a write that begins before a deletion commits."""

    def run() -> Any:
        try:
            return write(APIClient())
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            delete()
            answer = pool.submit(run)
            wait_for(is_waited_for, "one to wait for the other")
        return answer.result(timeout=30)


@pytest.mark.parametrize("make", [contact, tag, quick_message])
def test_what_is_deleted_meanwhile_is_not_brought_back(admin: User, make: Maker) -> None:
    row, path, delete = make(admin)
    pk = row.pk

    def rename(client: APIClient) -> Any:
        client.force_authenticate(admin)
        body = {"name": "Outro nome", "shortcode": "outro"}
        return client.put(f"/api/{path}/{pk}", body, format="json")

    assert _meanwhile(delete, rename).status_code == 404
    assert not type(row)._default_manager.filter(pk=pk).exists()


def test_a_tag_goes_with_the_card_that_was_just_moved_to_it(admin: User) -> None:
    lane = make_tag(admin.company, is_kanban=True)
    ticket = make_ticket(admin.company)

    def delete() -> None:
        try:
            delete_tag(actor=admin, tag_id=lane.pk)
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            add_tag(user=admin, ticket_id=ticket.pk, tag_id=lane.pk)
            with database.cursor() as cursor:  # as at the very moment of the commit
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            deletion = pool.submit(delete)
            wait_for(is_waited_for, "one to wait for the other")
        deletion.result(timeout=30)
    assert not TicketTag.objects.filter(ticket=ticket).exists()
    assert not Tag.objects.filter(pk=lane.pk).exists()


def test_a_card_moved_to_a_tag_that_is_being_deleted_finds_it_gone(admin: User) -> None:
    lane = make_tag(admin.company, is_kanban=True)
    ticket = make_ticket(admin.company)

    def move() -> Any:
        client = APIClient()
        client.force_authenticate(admin)
        try:
            return client.put(f"/api/ticket-tags/{ticket.pk}/{lane.pk}")
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            delete_tag(actor=admin, tag_id=lane.pk)
            answer = pool.submit(move)
            wait_for(is_waited_for, "one to wait for the other")
        assert answer.result(timeout=30).status_code == 404
    assert not TicketTag.objects.filter(ticket=ticket).exists()


@pytest.mark.parametrize("path", ["ticket-notes", "schedules"])
def test_what_is_written_about_a_contact_that_goes_is_refused(admin: User, path: str) -> None:
    ticket = make_ticket(admin.company)
    gone = ticket.contact
    body = {
        "note": "Prefere e-mail",
        "body": "Bom dia!",
        "sendAt": (timezone.now() + timedelta(days=1)).isoformat(),
        "ticketId": ticket.pk,
        "contactId": gone.pk,
    }

    def write(client: APIClient) -> Any:
        client.force_authenticate(admin)
        return client.post(f"/api/{path}", body, format="json")

    answer = _meanwhile(lambda: delete_contact(contact=gone, actor=admin), write)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_RECORD_GONE")
    assert not TicketNote.objects.exists()
    assert not Schedule.objects.exists()
