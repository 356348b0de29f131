"""File lists: kept by admins, filled in two steps, sent by everybody."""

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.library.models import FileList
from apps.library.services.file_lists import FileListChanged, upload_files
from conftest import ClientFor
from tests.factories import make_file_list

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
PDF = b"%PDF-1.7 tabela"


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def files(admin: User) -> FileList:
    return make_file_list(admin.company, name="Catálogos", items=["Vasos", "Preços"])


def ids_of(files: FileList) -> list[int]:
    return list(files.items.values_list("pk", flat=True))


def image(name: str = "vasos.png", content: bytes = PNG) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "image/png")


def upload(client: Any, kept: FileList, **form: Any) -> Any:
    """Upload as older browsers do: the fields of one file after another, in one form."""
    shared = {"fileId": kept.pk, "typeArch": "fileList"}
    return client.post(f"/api/files/uploadList/{kept.pk}", {**shared, **form}, format="multipart")


def test_a_list_is_made_filled_and_read(
    client: Any, client_for: ClientFor, admin: User, events: list[dict[str, Any]]
) -> None:
    body = {
        "name": "Catálogos",
        "message": "Segue o que você pediu, {{firstName}}.",
        "userId": 99999,
        # What the dialog of older browsers sends for a file that is still to come.
        "options": [
            {"name": "Vasos", "path": "", "mediaType": "", "file": {}},
            {"name": "Preços", "path": "", "mediaType": ""},
        ],
    }
    answer = client.post("/api/files", body, format="json")
    assert answer.status_code == 201
    made = answer.json()
    assert [each["name"] for each in made["options"]] == ["Vasos", "Preços"]
    assert (made["userId"], made["options"][0]["path"]) == (admin.pk, None)

    files = FileList.objects.get()
    ids = [each["id"] for each in made["options"]]
    row = upload(
        client,
        files,
        files=[image(), SimpleUploadedFile("precos.pdf", PDF, "application/pdf")],
        mediaType=["image/png", "application/pdf"],
        name=["Vasos", "Preços de verão"],
        id=ids,
    ).json()
    assert [each["id"] for each in row["options"]] == ids
    assert [each["name"] for each in row["options"]] == ["Vasos", "Preços de verão"]
    assert [each["mediaType"] for each in row["options"]] == ["image/png", "application/pdf"]
    read: Any = client_for(None).get(f"/api/public/{row['options'][1]['path']}")
    assert b"".join(read.streaming_content) == PDF
    assert client.get(f"/api/files/{files.pk}/").json() == row
    assert client.get("/api/files/?companyId=1").json() == {
        "files": [row],
        "count": 1,
        "hasMore": False,
    }
    told = [each["payload"] for each in events if each["event"] == "file"]
    assert [payload["action"] for payload in told] == ["create", "update"]
    for payload in told:  # the second name is that of older browsers
        assert payload["files"] == payload["fileList"]
    assert told[1]["files"]["id"] == files.pk


def test_a_search_ignores_accents_and_case(client: Any, files: FileList, admin: User) -> None:
    make_file_list(admin.company, name="Contratos", message="Leia com calma")
    found = client.get("/api/files/?searchParam=CATALOGOS&pageNumber=1").json()
    assert [each["name"] for each in found["files"]] == ["Catálogos"]
    assert client.get("/api/files/?searchParam=calma").json()["count"] == 1


def test_a_page_costs_the_same_whatever_it_holds(
    client: Any, admin: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(25):
        make_file_list(admin.company, items=["a", "b", "c"])
    with django_assert_max_num_queries(6):
        page = client.get("/api/files/").json()
    assert (len(page["files"]), page["count"], page["hasMore"]) == (20, 25, True)


def test_what_is_not_named_any_more_goes_with_its_file(
    client: Any, files: FileList, django_capture_on_commit_callbacks: Any
) -> None:
    first, second = ids_of(files)
    upload(client, files, files=[image(), image("outro.png")], id=[first, second])
    paths = list(files.items.values_list("media_path", flat=True))
    changed = {"options": [{"name": "Promoções"}, {"id": second, "name": "Preços novos"}]}
    with django_capture_on_commit_callbacks(execute=True):
        row = client.put(f"/api/files/{files.pk}", changed, format="json").json()
    assert [each["name"] for each in row["options"]] == ["Promoções", "Preços novos"]
    assert row["options"][1]["id"] == second
    assert [default_storage.exists(path) for path in paths] == [False, True]
    with django_capture_on_commit_callbacks(execute=True):
        client.delete(f"/api/files/{files.pk}")
    assert not default_storage.exists(paths[1])
    assert AuditEntry.objects.get().action == "file_list.deleted"


def test_a_new_file_takes_the_old_ones_place(
    client: Any, files: FileList, django_capture_on_commit_callbacks: Any
) -> None:
    first, _ = ids_of(files)
    upload(client, files, files=[image()], id=[first])
    before = files.items.get(pk=first).media_path
    with django_capture_on_commit_callbacks(execute=True):
        upload(client, files, files=[image("novo.png")], id=[first])
    after = files.items.get(pk=first)
    assert (after.media_name, after.name) == ("novo.png", "Vasos")
    assert not default_storage.exists(before)
    assert default_storage.exists(after.media_path)


@pytest.mark.parametrize(
    ("form", "status", "where"),
    [
        ({"id": ["{first}"]}, 400, "files"),
        ({"files": [PNG]}, 400, "id"),
        ({"files": [PNG, PNG], "id": ["{first}"]}, 400, "id"),
        ({"files": [PNG], "id": [""]}, 400, "id"),
        ({"files": [PNG], "id": ["9" * 20]}, 400, "id.0"),
        ({"files": [PNG], "id": [999_999]}, 400, "id.0"),
        ({"files": [PNG, b"no picture"], "id": ["{first}", "{second}"]}, 415, ""),
    ],
)
def test_a_wrong_upload_changes_nothing(
    client: Any, files: FileList, form: dict[str, Any], status: int, where: str
) -> None:
    names = dict(zip(["{first}", "{second}"], ids_of(files), strict=True))
    filled = {
        key: [
            image(content=each) if isinstance(each, bytes) else names.get(each, each)
            for each in values
        ]
        for key, values in form.items()
    }
    answer = upload(client, files, **filled)
    assert answer.status_code == status, answer.json()
    if where:
        assert [where] == list(answer.json()["fields"])
    assert set(files.items.values_list("media_path", flat=True)) == {""}
    _, left = default_storage.listdir(str(files.company_id)) if _has_folder(files) else ([], [])
    assert left == []


def test_a_file_whose_option_is_deleted_meanwhile_is_not_kept(admin: User, files: FileList) -> None:
    option = files.items.filter(name="Preços")

    class UploadedMeanwhile(SimpleUploadedFile):
        def read(self, *size: int) -> Any:
            option.delete()
            return super().read(*size)

    late = UploadedMeanwhile("preços.png", PNG, "image/png")
    with pytest.raises(FileListChanged) as refused:
        upload_files(
            user=admin, file_list_id=files.pk, item_ids=ids_of(files), files=[image(), late]
        )
    assert (refused.value.status, refused.value.code) == (409, "ERR_FILE_LIST_CHANGED")
    assert files.items.get().media_path == ""
    assert default_storage.listdir(str(files.company_id)) == ([], [])


def _has_folder(files: FileList) -> bool:
    return default_storage.exists(str(files.company_id))


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        ({"message": "Oi"}, "name", "Informe o nome."),
        ({"name": "ab", "message": "Oi"}, "name", "nome muito curto"),
        ({"name": "Lista", "message": " "}, "message", "Informe a mensagem."),
        ({"name": "Lista"}, "message", "Informe a mensagem."),
        ({"name": "Lista", "message": "Oi", "options": [{}] * 31}, "options", None),
    ],
)
def test_a_wrong_list_is_refused_at_its_field(
    client: Any, body: dict[str, Any], field: str, sentence: str | None
) -> None:
    answer = client.post("/api/files", body, format="json")
    assert answer.status_code == 400
    told = answer.json()["fields"][field]
    assert sentence is None or told == [sentence]
    assert not FileList.objects.exists()


def test_another_lists_file_is_not_taken_over(client: Any, files: FileList, admin: User) -> None:
    other = make_file_list(admin.company, items=["Deles"])
    body = {"options": [{"id": other.items.get().pk, "name": "Minha"}]}
    answer = client.put(f"/api/files/{files.pk}", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["options.0.id"])
    assert files.items.count() == 2
    assert other.items.get().name == "Deles"


def test_attendants_read_and_admins_write(
    client_for: ClientFor, agent: User, files: FileList
) -> None:
    client = client_for(agent)
    assert client.get(f"/api/files/{files.pk}").status_code == 200
    for answer in (
        client.post("/api/files", {"name": "Nova", "message": "Oi"}, format="json"),
        client.put(f"/api/files/{files.pk}", {"name": "Outra"}, format="json"),
        client.delete(f"/api/files/{files.pk}"),
        upload(client, files, files=[image()], id=ids_of(files)[:1]),
    ):
        assert answer.status_code == 403
    files.refresh_from_db()
    assert files.name == "Catálogos"
