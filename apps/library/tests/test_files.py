"""Files of quick messages: attached, replaced, removed, read by their signed path."""

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.accounts.services import delete_user
from apps.accounts.services.users import set_active
from apps.library.models import QuickMessage
from conftest import ClientFor
from tests.factories import make_quick_message

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def quick(agent: User) -> QuickMessage:
    return make_quick_message(agent.company, user=agent)


def upload(client: Any, quick: QuickMessage, name: str = "Prato.png", content: bytes = PNG) -> Any:
    file = SimpleUploadedFile(name, content, "image/png")
    return client.post(
        f"/api/quick-messages/{quick.pk}/media-upload",
        {"typeArch": "quickMessage", "file": file},
        format="multipart",
    )


def test_a_file_is_attached_and_read_by_its_signed_path(
    client_for: ClientFor,
    agent: User,
    quick: QuickMessage,
    events: list[dict[str, Any]],
    settings: Any,
) -> None:
    client = client_for(agent)
    answer = upload(client, quick)
    assert answer.status_code == 200
    row = answer.json()
    assert (row["isMedia"], row["mediaName"], row["mediaMime"], row["mediaSize"]) == (
        True,
        "Prato.png",
        "image/png",
        len(PNG),
    )
    # Older browsers take it as it is (rules/messages §5): a path would be of their own address.
    assert row["mediaPath"].startswith(f"{settings.PUBLIC_URL}/"), row["mediaPath"]
    read: Any = client_for(None).get(row["mediaPath"].removeprefix(settings.PUBLIC_URL))
    assert b"".join(read.streaming_content) == PNG
    assert events[0]["payload"]["record"]["mediaName"] == "Prato.png"
    quick.refresh_from_db()
    assert quick.media_path.startswith(f"{agent.company_id}/")


def test_a_new_file_takes_the_old_ones_place_on_the_disk_too(
    client_for: ClientFor,
    agent: User,
    quick: QuickMessage,
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = client_for(agent)
    upload(client, quick)
    quick.refresh_from_db()
    old_path = quick.media_path
    with django_capture_on_commit_callbacks(execute=True):
        upload(client, quick, "Outro.png")
    quick.refresh_from_db()
    assert not default_storage.exists(old_path)
    assert default_storage.exists(quick.media_path)
    path = f"/api/quick-messages/{quick.pk}/media-upload"
    with django_capture_on_commit_callbacks(execute=True):
        assert client.delete(path).json() == {"message": "Arquivo excluído."}
    assert client.delete(path).status_code == 200
    assert not default_storage.exists(quick.media_path)
    row = client.get(f"/api/quick-messages/{quick.pk}").json()
    assert (row["isMedia"], row["mediaPath"], row["mediaName"]) == (False, None, None)


def test_the_file_goes_with_the_quick_message(
    client_for: ClientFor,
    agent: User,
    quick: QuickMessage,
    django_capture_on_commit_callbacks: Any,
) -> None:
    upload(client_for(agent), quick)
    quick.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        client_for(agent).delete(f"/api/quick-messages/{quick.pk}")
    assert not default_storage.exists(quick.media_path)


def test_the_private_file_goes_with_its_owner_and_not_with_a_pause(
    client_for: ClientFor,
    agent: User,
    admin: User,
    quick: QuickMessage,
    django_capture_on_commit_callbacks: Any,
) -> None:
    upload(client_for(agent), quick)
    quick.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        set_active(user=agent, is_active=False, actor=admin)
    assert default_storage.exists(quick.media_path)
    with django_capture_on_commit_callbacks(execute=True):
        delete_user(actor=admin, user_id=agent.pk)
    assert not default_storage.exists(quick.media_path)


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        ("virus.exe", PNG, 415, "ERR_MEDIA_TYPE"),
        ("foto.png", b"not a picture at all", 415, "ERR_MEDIA_TYPE"),
        ("foto.png", b"", 415, "ERR_MEDIA_TYPE"),
        ("foto.png", PNG + b"0" * (5 * 1024 * 1024), 413, "ERR_MEDIA_TOO_LARGE"),
    ],
)
def test_what_could_not_be_sent_is_not_stored(
    client_for: ClientFor,
    agent: User,
    quick: QuickMessage,
    tmp_path: Any,
    name: str,
    content: bytes,
    status: int,
    code: str,
) -> None:
    answer = upload(client_for(agent), quick, name, content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    quick.refresh_from_db()
    assert quick.media_path == ""
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("body", [{}, {"file": None}, {"file": "texto"}])
def test_a_body_without_a_file_is_told_so(
    client_for: ClientFor, agent: User, quick: QuickMessage, body: dict[str, Any]
) -> None:
    path = f"/api/quick-messages/{quick.pk}/media-upload"
    answer = client_for(agent).post(path, body, format="json")
    assert answer.status_code == 400
    assert answer.json()["fields"] == {"file": ["Anexe um arquivo."]}


def test_a_colleague_does_not_change_the_file_of_a_shared_one(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    quick = make_quick_message(admin.company, user=admin, is_shared=True)
    answer = upload(client_for(agent), quick)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
