"""Text files, the columns that a user maps, and the rows shown before an import."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.campaigns.models import ContactList, ContactListImport, ContactListItem
from apps.campaigns.services.importing import import_due
from apps.contacts import sheet_layouts
from conftest import ClientFor
from tests.factories import make_contact_list
from tests.sheets import people, upload_of, xlsx

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def listed(admin: User) -> ContactList:
    return make_contact_list(admin.company, name="Clientes", people=[("Lia", "551188887777")])


def send(client: Any, listed: ContactList, content: str | bytes, call: str, **more: Any) -> Any:
    data = content if isinstance(content, bytes) else content.encode()
    form = {"file": upload_of(data, more.pop("file_name", "clientes.csv")), **more}
    return client.post(f"/api/contact-lists/{listed.pk}/{call}", form, format="multipart")


def preview(client: Any, listed: ContactList, content: str | bytes, **more: Any) -> Any:
    return send(client, listed, content, "upload/preview", **more)


def kept(listed: ContactList) -> set[tuple[str, str, str]]:
    import_due(limit=1)
    rows = ContactListItem.objects.filter(contact_list=listed).exclude(name="Lia")
    return set(rows.values_list("name", "number", "email"))


@pytest.mark.parametrize(
    "content",
    [
        "nome;numero;email\nJosé;11 98000-0200;jose@example.com\n".encode(),
        "\ufeffNOME,NÚMERO,E-MAIL\r\nJosé,(11) 98000-0200,jose@example.com\r\n".encode(),
        "Nombre\tTeléfono\tCorreo\nJosé\t11980000200\tjose@example.com\n".encode("latin-1"),
        'name,phone,email\n"José","+55 11 98000-0200","jose@example.com"\n'.encode("utf-16"),
    ],
    ids=["semicolons", "commas and a mark", "tabs in Latin-1", "quotes in UTF-16"],
)
def test_a_text_file_alone_is_imported_with_guessed_columns(
    client: Any, listed: ContactList, content: bytes
) -> None:
    answer = send(client, listed, content, "upload")
    assert answer.status_code == 202
    assert kept(listed) == {("José", "5511980000200", "jose@example.com")}


def test_the_first_rows_are_shown_as_they_will_be_kept_and_nothing_is_stored(
    client: Any, listed: ContactList
) -> None:
    lines = ["nome;cidade;numero", "Ana;Recife;(11) 98000-0100", "Zé;;1", "Ana;;11 98000-0100"]
    lines += ["Lia;;11 98888-7777", "Kari;;+47 98765432"]
    shown = preview(client, listed, "\n".join([*lines, *["Bia;;5511970000000"] * 30])).json()
    assert shown["columns"] == ["nome", "cidade", "numero"]
    assert (shown["headerRow"], shown["nameColumn"], shown["numberColumn"]) == (1, 0, 2)
    assert shown["emailColumn"] is None
    assert len(shown["rows"]) == 20
    assert [
        (row["row"], row["number"], row["errorCode"], row["isDuplicate"])
        for row in shown["rows"][:5]
    ] == [
        (2, "+55 11 98000-0100", "", False),
        (3, "1", "ERR_ROW_NUMBER", False),
        (4, "+55 11 98000-0100", "", True),
        (5, "+55 11 98888-7777", "", True),
        (6, "+47 98 76 54 32", "", False),
    ]
    assert not ContactListImport.objects.exists()
    assert ContactListItem.objects.count() == 1


def test_mapped_columns_are_shown_and_imported(client: Any, listed: ContactList) -> None:
    content = "cliente,contato,obs\nAna,11 98000-0100,vip\nBia,21 98000-0200,\n"
    guessed = preview(client, listed, content).json()
    assert (guessed["columns"], guessed["nameColumn"]) == (["cliente", "contato", "obs"], None)
    assert guessed["rows"] == []
    layout = {"sheet": guessed["sheet"], "headerRow": guessed["headerRow"]}
    layout |= {"nameColumn": 0, "numberColumn": 1}
    shown = preview(client, listed, content, **layout).json()
    assert [(row["name"], row["number"]) for row in shown["rows"]] == [
        ("Ana", "+55 11 98000-0100"),
        ("Bia", "+55 21 98000-0200"),
    ]
    assert send(client, listed, content, "upload", **layout).status_code == 202
    assert kept(listed) == {("Ana", "5511980000100", ""), ("Bia", "5521980000200", "")}


def test_a_file_without_a_header_keeps_its_first_row(client: Any, listed: ContactList) -> None:
    content = xlsx([("Bia", "21 98000-0200")], ("Ana", "11 98000-0100"))
    guessed = preview(client, listed, content, file_name="a.xlsx").json()
    assert guessed["headerRow"] == 0
    layout = {"sheet": 0, "headerRow": 0, "nameColumn": 0, "numberColumn": 1}
    send(client, listed, content, "upload", file_name="a.xlsx", **layout)
    assert kept(listed) == {("Ana", "5511980000100", ""), ("Bia", "5521980000200", "")}


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        ({"sheet": 0, "headerRow": 1, "nameColumn": 0}, "ERR_SHEET_COLUMNS"),
        ({"sheet": 0, "headerRow": 1, "nameColumn": 60, "numberColumn": 1}, "ERR_VALIDATION"),
        ({"sheet": -1, "headerRow": 1, "nameColumn": 0, "numberColumn": 1}, "ERR_VALIDATION"),
    ],
)
def test_wrong_columns_are_refused(
    client: Any, listed: ContactList, layout: dict[str, int], code: str
) -> None:
    answer = send(client, listed, "a;b\nAna;5511980000100", "upload", **layout)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not ContactListImport.objects.exists()


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"nome;numero", "clientes.pdf", 415, "ERR_SHEET_TYPE"),
        (b"PK\x03\x04 quebrado", "clientes.xlsx", 400, "ERR_SHEET_UNREADABLE"),
        (b"nome;numero\n" + b"5" * 1_000_001, "clientes.csv", 400, "ERR_SHEET_UNREADABLE"),
        (b"\n \n", "clientes.csv", 400, "ERR_SHEET_EMPTY"),
        (b"nome;numero\n", "clientes.csv", 400, "ERR_SHEET_EMPTY"),
        (b"0" * (20 * 1024 * 1024 + 1), "clientes.csv", 413, "ERR_SHEET_TOO_LARGE"),
    ],
    ids=["name", "broken", "a long line", "no rows", "a title alone", "too large"],
)
def test_a_preview_has_the_bounds_of_an_import(
    client: Any, listed: ContactList, content: bytes, name: str, status: int, code: str
) -> None:
    answer = preview(client, listed, content, file_name=name)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_only_two_files_are_read_for_previews_at_a_time(client: Any, listed: ContactList) -> None:
    readers = sheet_layouts._READERS
    assert readers.acquire(blocking=False) and readers.acquire(blocking=False)
    try:
        answer = preview(client, listed, xlsx(people(1)), file_name="a.xlsx")
    finally:
        readers.release(2)
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_PREVIEW_BUSY")
    assert answer["Retry-After"] == "5"
    assert preview(client, listed, xlsx(people(1)), file_name="a.xlsx").status_code == 200
