"""Sheets that fill contact lists: what is made of them, and what is refused."""

import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from apps.accounts.models import User
from apps.campaigns.models import ContactList, ContactListImport, ContactListItem
from apps.campaigns.services.importing import ListReader, import_due
from apps.common import sheet_jobs
from apps.common.leases import free_all_claims
from conftest import ClientFor
from tests.factories import make_contact_list
from tests.sheets import people, upload_of, with_part, xlsx

pytestmark = pytest.mark.django_db(transaction=True)
XLS = Path(__file__).parent / "clientes.xls"


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def listed(admin: User) -> ContactList:
    return make_contact_list(admin.company, name="Clientes", people=[("Lia", "551188887777")])


def upload(client: Any, listed: ContactList, content: bytes, name: str = "clientes.xlsx") -> Any:
    form = {"file": upload_of(content, name)}
    return client.post(f"/api/contact-lists/{listed.pk}/upload", form, format="multipart")


def outcome(client: Any, listed: ContactList) -> dict[str, Any]:
    import_due(limit=1)
    done: dict[str, Any] = client.get(f"/api/contact-lists/{listed.pk}").json()["import"]
    return done


def counts(done: dict[str, Any]) -> list[int]:
    return [done[f"{name}Count"] for name in ("rows", "created", "duplicates", "failed")]


def test_the_example_that_the_page_offers_is_taken_whole(client: Any, listed: ContactList) -> None:
    example = Path(__file__).parents[3] / "frontend/src/features/contactLists/modelo-contatos.xlsx"
    upload(client, listed, example.read_bytes())
    done = outcome(client, listed)
    assert (done["status"], done["failedCount"]) == ("done", 0)
    assert done["createdCount"] == done["rowsCount"] > 0


def test_a_sheet_makes_people_counts_duplicates_and_names_what_is_wrong(
    client: Any, listed: ContactList, events: list[dict[str, Any]]
) -> None:
    rows: list[tuple[Any, Any, Any]] = [
        ("Ana Souza", 5511999990001, "ana@example.com"),
        ("Ana de novo", "+55 (11) 99999-0001", None),
        ("Lia com o nono dígito", "5511988887777", ""),
        (None, None, None),
        ("João", "número", ""),
        ("Zé", None, ""),
        ("=1+1", "12", "x"),
        ("Eva", "5511999990002", "eva@"),
        ("", "5511999990003", ""),
    ]
    sheet = [(name, email, number, "Recife") for name, number, email in rows]
    answer = upload(client, listed, xlsx(sheet, ("Nome", " E-mail ", "NÚMERO", "Cidade")))
    assert (answer.status_code, answer.json()["import"]["status"]) == (202, "waiting")
    done = outcome(client, listed)
    assert (done["status"], counts(done)) == ("done", [8, 1, 2, 5])
    assert set(ContactListItem.objects.values_list("name", "number")) == {
        ("Lia", "551188887777"),
        ("Ana Souza", "5511999990001"),
    }
    assert client.get(f"/api/contact-lists/{listed.pk}").json()["contactsCount"] == 2
    told = [each for each in events if each["event"] == "ContactListItem-{listId}"]
    assert len(told[-1]["payload"]["records"]) == 2
    assert default_storage.listdir(str(listed.company_id))[1] == []

    address = f"/api/contact-lists/{listed.pk}/upload/errors"
    file = b"".join(client.get(address, headers={"Accept-Language": "en"}).streaming_content)
    lines = file.decode("utf-8-sig").splitlines()
    assert lines[0] == "row;nome;numero;email;error"
    assert lines[1].startswith('"6";"João";"número";"";"Give the number')
    assert lines[2].startswith('"7";"Zé";"";"";"The number is missing')
    assert len(lines) == 6


def test_an_old_xls_is_read_from_the_sheet_that_has_the_header(
    client: Any, listed: ContactList
) -> None:
    upload(client, listed, XLS.read_bytes(), "clientes.xls")
    done = outcome(client, listed)
    assert (done["status"], counts(done)) == ("done", [4, 2, 0, 2])
    assert ContactListItem.objects.filter(
        name="Ana Souza", number="5511999990001", email="ana@example.com"
    ).exists()


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"nome;numero\nAna;5511999990001", "clientes.pdf", 415, "ERR_SHEET_TYPE"),
        (b"", "clientes.xlsx", 415, "ERR_SHEET_TYPE"),
        (b"PK\x03\x04 quebrado", "clientes.xlsx", 400, "ERR_SHEET_UNREADABLE"),
        (b"0" * (20 * 1024 * 1024 + 1), "clientes.xlsx", 413, "ERR_SHEET_TOO_LARGE"),
    ],
    ids=["text", "nothing", "broken", "too large"],
)
def test_what_is_no_sheet_is_refused_at_once(
    client: Any, listed: ContactList, content: bytes, name: str, status: int, code: str
) -> None:
    answer = upload(client, listed, content, name)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not ContactListImport.objects.exists()


def test_200_megabytes_are_refused_before_they_are_read(client: Any, listed: ContactList) -> None:
    answer = client.generic(
        "POST",
        f"/api/contact-lists/{listed.pk}/upload",
        b"",
        "multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(200 * 2**20),
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "ERR_REQUEST_TOO_LARGE")


def test_formulas_count_by_what_was_saved_and_the_sheet_with_the_header_is_read(
    client: Any, listed: ContactList
) -> None:
    rows = [("Ana", '=CONCATENATE("55","11999990001")'), ("=1/0", "5511999990002")]
    sheet = xlsx([*rows, ("Bia", "5511999990003")], ("nome", "numero"), before="Resumo")
    upload(client, listed, sheet)
    done = outcome(client, listed)
    assert (done["status"], counts(done)) == ("done", [3, 1, 0, 2])
    address = f"/api/contact-lists/{listed.pk}/upload/errors"
    file = b"".join(client.get(address).streaming_content).decode("utf-8-sig")
    assert [line.split(";")[0] for line in file.splitlines()[1:]] == ['"2"', '"3"']
    assert "abra e salve a planilha no Excel" in file


@pytest.mark.parametrize(
    ("part", "length"),
    [
        ("xl/worksheets/sheet1.xml", 201),
        ("xl/sharedStrings.xml", 49),
        ("xl/styles.xml", 9),
    ],
)
def test_a_sheet_that_unpacks_to_too_much_is_refused_unopened(
    client: Any, listed: ContactList, part: str, length: int
) -> None:
    bomb = with_part(xlsx(people(1)), part, b"0" * (length * 1024 * 1024))
    assert len(bomb) < 1024 * 1024
    answer = upload(client, listed, bomb)
    assert (answer.status_code, answer.json()["code"]) == (413, "ERR_SHEET_TOO_FULL")


def test_a_cell_in_the_last_corner_makes_no_room_for_all_before_it(
    client: Any, listed: ContactList
) -> None:
    cell = '<c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c>'
    far = f'<row r="1048576">{cell}</row></sheetData>'
    content = xlsx(people(2))
    sheet = zipfile.ZipFile(BytesIO(content)).read("xl/worksheets/sheet1.xml").decode()
    bad = sheet.replace("</sheetData>", far, 1)
    assert bad != sheet
    upload(client, listed, with_part(content, "xl/worksheets/sheet1.xml", bad.encode()))
    done = outcome(client, listed)
    assert (done["status"], counts(done)) == ("done", [2, 2, 0, 0])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (xlsx(people(3), ("cliente", "celular", "correio")), "ERR_SHEET_COLUMNS"),
        (xlsx([]), "ERR_SHEET_EMPTY"),
        (XLS.read_bytes().replace(b"NOME", b"NOVO"), "ERR_SHEET_COLUMNS"),
        (XLS.read_bytes()[:4096], "ERR_SHEET_UNREADABLE"),
        (with_part(xlsx(people(3)), "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row"), ""),
    ],
    ids=["other columns", "no rows", "an .xls without names", "half a file", "a cut part"],
)
def test_a_sheet_that_cannot_be_used_leaves_nothing_and_says_why(
    client: Any, listed: ContactList, content: bytes, code: str
) -> None:
    upload(client, listed, content)
    done = outcome(client, listed)
    assert done["status"] == "failed"
    assert done["errorCode"] in ({code} if code else {"ERR_SHEET_UNREADABLE", "ERR_SHEET_COLUMNS"})
    assert listed.items.count() == 1


def test_more_rows_than_a_sheet_may_have_leave_nothing(
    client: Any, listed: ContactList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.common.sheets.MAX_ROWS", 20)
    upload(client, listed, xlsx(people(21)))
    assert outcome(client, listed)["errorCode"] == "ERR_SHEET_TOO_MANY_ROWS"
    assert listed.items.count() == 1


def test_a_second_sheet_waits_for_the_first(client: Any, listed: ContactList) -> None:
    upload(client, listed, xlsx(people(3)))
    answer = upload(client, listed, xlsx(people(3)))
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_IMPORT_RUNNING")


def test_a_list_that_is_deleted_takes_its_import_along(client: Any, listed: ContactList) -> None:
    upload(client, listed, xlsx(people(3)))
    assert client.delete(f"/api/contact-lists/{listed.pk}").status_code == 200
    assert import_due(limit=1) == 0
    assert default_storage.listdir(str(listed.company_id))[1] == []


def test_a_successor_goes_on_where_a_killed_worker_was(
    client: Any, listed: ContactList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_jobs, "BATCH", 10)
    upload(client, listed, xlsx(people(45)))
    store, steps = ListReader.store, []

    def killed(*args: Any) -> None:
        steps.append(1)
        if len(steps) == 3:
            raise SystemExit
        store(*args)

    monkeypatch.setattr(ListReader, "store", killed)
    with pytest.raises(SystemExit):
        import_due(limit=1)
    half = ContactListImport.objects.get()
    assert (half.rows_read, half.created_count) == (20, 20)
    monkeypatch.setattr(ListReader, "store", store)
    free_all_claims()
    done = outcome(client, listed)
    assert (done["status"], counts(done)) == ("done", [45, 45, 0, 0])
    assert listed.items.count() == 46


# Of the reader and of Python's memory: once is enough.
@pytest.mark.postgres
def test_20000_rows_are_read_in_little_memory(client: Any, listed: ContactList) -> None:
    upload(client, listed, xlsx(people(20_000)))
    tracemalloc.start()
    done = outcome(client, listed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts(done) == [20_000, 20_000, 0, 0]
    assert peak < 40 * 1024 * 1024
