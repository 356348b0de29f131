"""Announcements: written by the operator, read by every company, told live."""

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.announcements.models import Announcement
from apps.audit.models import AuditEntry
from apps.realtime.backplane import ALL_COMPANIES
from apps.realtime.rooms import EVERYONE, user_room
from conftest import ClientFor
from tests.factories import make_announcement

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
JPEG = b"\xff\xd8\xff" + b"0" * 20
# What the dialog of older browsers sends.
WRITTEN = {"title": "Manutenção", "text": "No domingo, às 22h.", "priority": 1, "status": True}


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, super_user: User) -> Any:
    return client_for(super_user)


def upload(client: Any, announcement: Announcement, file: SimpleUploadedFile) -> Any:
    form = {"typeArch": "announcements", "file": file}
    path = f"/api/announcements/{announcement.pk}/media-upload"
    return client.post(path, form, format="multipart")


def told(events: list[dict[str, Any]]) -> list[tuple[str, int, list[str]]]:
    heard = [each for each in events if each["event"] == "announcement"]
    return [(each["payload"]["action"], each["company_id"], each["rooms"]) for each in heard]


def test_what_the_operator_writes_every_company_reads_and_hears(
    client: Any, client_for: ClientFor, agent: User, outsider: User, events: list[dict[str, Any]]
) -> None:
    answer = client.post("/api/announcements", WRITTEN, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert {name: row[name] for name in WRITTEN} == WRITTEN
    assert (row["mediaPath"], row["mediaName"]) == (None, None)
    for reader in (agent, outsider):
        page = client_for(reader).get("/api/announcements/?searchParam=&pageNumber=1").json()
        assert page == {"records": [row], "count": 1, "hasMore": False}
        assert client_for(reader).get(f"/api/announcements/{row['id']}/").json() == row
    changed = client.put(f"/api/announcements/{row['id']}", {"title": "Adiada"}, format="json")
    assert (changed.json()["title"], changed.json()["priority"]) == ("Adiada", 1)
    assert client.delete(f"/api/announcements/{row['id']}").status_code == 200
    everyone = (ALL_COMPANIES, [EVERYONE])
    assert told(events) == [
        ("create", *everyone),
        ("update", *everyone),
        ("delete", *everyone),
    ]
    assert AuditEntry.objects.get().action == "announcement.deleted"


def test_what_is_not_said_is_low_and_active(client: Any) -> None:
    row = client.post("/api/announcements", {"title": "Oi", "text": "Olá"}, format="json").json()
    assert (row["priority"], row["status"]) == (3, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", " "), ("text", ""), ("priority", 4), ("title", "x" * 201), ("text", "x" * 10_001)],
)
def test_what_cannot_be_is_refused_at_its_field(client: Any, field: str, value: Any) -> None:
    answer = client.post("/api/announcements", {**WRITTEN, field: value}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert not Announcement.objects.exists()


def test_what_is_inactive_is_the_super_users_alone(
    client: Any, client_for: ClientFor, admin: User, super_user: User, events: list[dict[str, Any]]
) -> None:
    hidden = client.post("/api/announcements", {**WRITTEN, "status": False}, format="json").json()
    path = f"/api/announcements/{hidden['id']}"
    reader = client_for(admin)
    assert reader.get("/api/announcements").json()["count"] == 0
    missing = reader.get(path)
    assert (missing.status_code, missing.json()["code"]) == (404, "ERR_NO_ANNOUNCEMENT_FOUND")
    assert client.get("/api/announcements").json()["count"] == 1
    client.put(path, {"status": True}, format="json")
    client.put(path, {"status": False}, format="json")
    client.delete(path)
    own = (super_user.company_id, [user_room(super_user.pk)])
    everyone = (ALL_COMPANIES, [EVERYONE])
    assert told(events) == [
        ("create", *own),
        ("update", *everyone),
        ("delete", *everyone),
        ("update", *own),
        ("delete", *own),
    ]


def test_a_picture_is_kept_shown_to_readers_replaced_and_taken_away(
    client: Any,
    client_for: ClientFor,
    agent: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    announcement = make_announcement()
    upload(client, announcement, SimpleUploadedFile("tela.png", PNG, "image/png"))
    row = client_for(agent).get(f"/api/announcements/{announcement.pk}").json()
    assert (row["mediaName"], row["mediaMime"], row["mediaSize"]) == ("tela.png", "image/png", 28)
    shown: Any = client_for(None).get(f"/api/public/{row['mediaPath']}")
    assert b"".join(shown.streaming_content) == PNG
    announcement.refresh_from_db()
    first = announcement.media_path
    with django_capture_on_commit_callbacks(execute=True):
        upload(client, announcement, SimpleUploadedFile("nova.JPEG", JPEG, "image/jpeg"))
    announcement.refresh_from_db()
    assert (default_storage.exists(first), announcement.media_name) == (False, "nova.JPEG")
    second = announcement.media_path
    with django_capture_on_commit_callbacks(execute=True):
        client.delete(f"/api/announcements/{announcement.pk}/media-upload")
    announcement.refresh_from_db()
    assert (default_storage.exists(second), announcement.media) == (False, None)


@pytest.mark.parametrize(
    ("name", "content", "mime"),
    [
        ("desenho.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
        ("desenho.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/png"),
        ("pagina.html", b"<html></html>", "text/html"),
        ("pagina.jpg", b"<html></html>", "image/jpeg"),
        ("pagina.png", PNG, "text/html"),
        ("video.gif", b"GIF89a" + b"0" * 20, "image/gif"),
        ("tabela.pdf", b"%PDF-1.7", "application/pdf"),
        ("semfim", PNG, "image/png"),
        ("vazio.png", b"", "image/png"),
    ],
)
def test_only_pictures_are_taken_by_their_content_too(
    client: Any, tmp_path: Any, name: str, content: bytes, mime: str
) -> None:
    announcement = make_announcement()
    answer = upload(client, announcement, SimpleUploadedFile(name, content, mime))
    assert (answer.status_code, answer.json()["code"]) == (415, "ERR_MEDIA_TYPE")
    announcement.refresh_from_db()
    assert announcement.media is None
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == []


def test_a_picture_beyond_the_limit_is_refused(client: Any) -> None:
    large = SimpleUploadedFile("grande.png", PNG + bytes(5 * 1024 * 1024), "image/png")
    answer = upload(client, make_announcement(), large)
    assert (answer.status_code, answer.json()["code"]) == (413, "ERR_MEDIA_TOO_LARGE")


def test_pages_are_newest_first_and_cost_the_same_whatever_they_hold(
    client_for: ClientFor, agent: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(25):
        make_announcement(title=f"Novidade {number}", media_path=f"1/{number}.png")
    make_announcement(title="Manutenção", text="Sem acentuação")
    client = client_for(agent)
    with django_assert_max_num_queries(3):
        page = client.get("/api/announcements/").json()
    assert (len(page["records"]), page["count"], page["hasMore"]) == (20, 26, True)
    assert [each["title"] for each in page["records"][:2]] == ["Manutenção", "Novidade 24"]
    found = client.get("/api/announcements?searchParam=MANUTENCAO").json()
    assert found["count"] == 1
