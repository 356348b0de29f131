"""POST /messages/{ticketId} with a quick message's file: copied, never uploaded again."""

import uuid
from typing import Any
from unittest import mock

import pytest
from django.conf import settings as django_settings
from django.core.files.storage import default_storage

from apps.accounts.models import User
from apps.common.media import signed_path, store_media
from apps.companies.models import Company
from apps.library.models import QuickMessage
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket
from conftest import ClientFor
from tests.factories import make_quick_message, make_user

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def with_file(user: User, **fields: Any) -> QuickMessage:
    stored = store_media(
        company_id=user.company_id, content=PNG, name="Prato.png", mime="image/png"
    )
    return make_quick_message(
        user.company,
        user=user,
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
        media_size=stored.size,
        **fields,
    )


def media_path(client: Any, quick: QuickMessage) -> str:
    return str(client.get(f"/api/quick-messages/{quick.pk}").json()["mediaPath"])


@pytest.mark.parametrize("body", ["*Bob:*\nÉ este?", ""])
def test_the_file_leaves_as_a_copy_with_its_text(
    client_for: ClientFor, agent: User, ticket: Ticket, body: str
) -> None:
    quick = with_file(agent)
    client = client_for(agent)
    sent = {"body": body, "mediaPath": media_path(client, quick)}
    answer = client.post(f"/api/messages/{ticket.pk}", sent, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert (row["mediaType"], row["mediaName"], row["body"]) == (
        "image",
        "Prato.png",
        body or "Prato.png",
    )
    message = Message.objects.get(pk=row["id"])
    assert message.media_path != quick.media_path
    default_storage.delete(quick.media_path)
    with default_storage.open(message.media_path) as copy:
        assert copy.read() == PNG


def test_the_address_of_the_file_will_do_too(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    whole = media_path(client, with_file(agent))
    assert whole.startswith(f"{django_settings.PUBLIC_URL}/api/public/")
    for address in (
        whole.removeprefix(django_settings.PUBLIC_URL),
        f"{whole}?name=Prato.png",
    ):
        sent = {"read": 1, "fromMe": True, "mediaUrl": address, "body": "", "quotedMsg": None}
        answer = client.post(f"/api/messages/{ticket.pk}", sent, format="json")
        assert (answer.status_code, answer.json()["mediaName"]) == (201, "Prato.png")


def test_the_same_client_id_again_answers_the_stored_message(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    sent = {"mediaPath": media_path(client, with_file(agent)), "clientId": str(uuid.uuid4())}
    first = client.post(f"/api/messages/{ticket.pk}", sent, format="json").json()
    second = client.post(f"/api/messages/{ticket.pk}", sent, format="json").json()
    assert first["id"] == second["id"]
    assert Message.objects.count() == 1


def test_a_path_that_the_caller_may_not_read_is_refused_at_its_field(
    client_for: ClientFor, agent: User, outsider: User, acme: Company, ticket: Ticket
) -> None:
    colleague = make_user(acme)
    client = client_for(agent)
    quick = with_file(agent)
    own = signed_path(quick.media_path)
    paths = [
        media_path(client_for(colleague), with_file(colleague)),  # private
        media_path(client_for(outsider), with_file(outsider)),  # another company's
        own.replace("-", "-0", 1),  # forged
        signed_path(quick.media_path).partition("/")[2],  # unsigned
        "x-/y",
        "é-é/é",
    ]
    for path in paths:
        for field, value in (("mediaPath", path), ("mediaUrl", f"https://[x/api/public/{path}")):
            body = {"body": "Oi", field: value}
            answer = client.post(f"/api/messages/{ticket.pk}", body, format="json")
            assert answer.status_code == 400, answer.content
            assert list(answer.json()["fields"]) == [field]
    assert not Message.objects.exists()


def test_an_expired_path_and_a_lost_file_are_told(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    quick = with_file(agent)
    body = {"mediaPath": media_path(client, quick)}
    with mock.patch("apps.common.media.time.time", return_value=2**40):
        answer = client.post(f"/api/messages/{ticket.pk}", body, format="json")
    assert answer.json()["fields"]["mediaPath"]
    default_storage.delete(quick.media_path)
    answer = client.post(f"/api/messages/{ticket.pk}", body, format="json")
    assert answer.json()["fields"]["mediaPath"]


def test_a_shared_one_is_everyones_to_send_but_only_on_tickets_they_hold(
    client_for: ClientFor, agent: User, admin: User, acme: Company, queue: Queue, ticket: Ticket
) -> None:
    quick = with_file(admin, is_shared=True)
    other = make_user(acme, queues=[queue])
    sent = {"mediaPath": media_path(client_for(agent), quick)}
    path = f"/api/messages/{ticket.pk}"
    assert client_for(agent).post(path, sent, format="json").status_code == 201
    assert client_for(other).post(path, sent, format="json").status_code in (403, 409)


def test_a_message_without_words_and_file_is_refused(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    for body in (
        {},
        {"body": " \n"},
        {"body": None},
        {"body": "", "mediaPath": "", "mediaUrl": ""},
    ):
        answer = client_for(agent).post(f"/api/messages/{ticket.pk}", body, format="json")
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["body"])
