"""The columns that a user maps, and the rows shown before contacts are imported."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company
from apps.companies.services.settings import change_setting
from apps.contacts import sheet_layouts
from apps.contacts.models import Contact, ContactField, ContactImport
from apps.contacts.services.file_importing import import_due
from conftest import ClientFor
from tests.factories import make_contact
from tests.sheets import people, upload_of, xlsx

pytestmark = pytest.mark.django_db
MAPPED = "contato,cliente,zap,apelido,código,Cidade\n"


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, agent: User) -> Any:
    return client_for(agent)


def send(client: Any, content: str | bytes, call: str = "", **more: Any) -> Any:
    data = content if isinstance(content, bytes) else content.encode()
    form = {"file": upload_of(data, more.pop("file_name", "contatos.csv")), **more}
    return client.post(f"/api/contacts/import-file{call}", form, format="multipart")


def preview(client: Any, content: str | bytes, **more: Any) -> dict[str, Any]:
    answer = send(client, content, "/preview", **more)
    assert answer.status_code == 200, answer.content
    shown: dict[str, Any] = answer.json()
    return shown


def identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("name", "number", "email", "username", "userId"))


def stored() -> set[tuple[Any, ...]]:
    fields = ("name", "number", "email", "username", "user_id", "extra_info__value")
    return set(Contact.objects.values_list(*fields))


def test_the_first_rows_are_shown_as_they_will_be_kept_and_nothing_is_stored(
    client: Any, acme: Company
) -> None:
    known = make_contact(acme, name="Lia", number="5511988887777", email="lia@example.com")
    known.extra_info.create(name="cidade", value="Olinda")
    lines = [
        "nome;numero;email;username;Cidade",
        "Ana;(11) 98000-0100;;@ana;Recife",
        "Zé;onze;;;Natal",
        ";11 98000-0100;ana@example.com;;",
        "Outra;+55 11 98888-7777;outra@example.com;lia.s;Recife",
        "Kari;+47 98765432;;;",
    ]
    shown = preview(client, "\n".join([*lines, *["Bia;5511970000000;;;"] * 30]))
    assert shown["columns"] == ["nome", "numero", "email", "username", "Cidade"]
    places = [shown[f"{field}Column"] for field in ("name", "number", "email", "username")]
    assert (shown["sheet"], shown["headerRow"], places) == (0, 1, [0, 1, 2, 3])
    assert shown["userIdColumn"] is None
    assert len(shown["rows"]) == 20
    assert [(row["row"], row["errorCode"], row["isDuplicate"]) for row in shown["rows"][:5]] == [
        (2, "", False),
        (3, "ERR_ROW_NUMBER", False),
        (4, "", True),
        (5, "", True),
        (6, "", False),
    ]
    assert [identity(row) for row in shown["rows"][:5]] == [
        ("Ana", "+55 11 98000-0100", "", "ana", ""),
        ("Zé", "onze", "", "", ""),
        ("Ana", "+55 11 98000-0100", "ana@example.com", "ana", ""),
        ("Lia", "+55 11 98888-7777", "lia@example.com", "lia.s", ""),
        ("Kari", "+47 98 76 54 32", "", "", ""),
    ]
    assert [row["extraInfo"] for row in shown["rows"][:4]] == [
        [{"name": "Cidade", "value": "Recife"}],
        [{"name": "Cidade", "value": "Natal"}],
        [],
        [{"name": "cidade", "value": "Olinda"}],
    ]
    assert not ContactImport.objects.exists()
    assert Contact.objects.get().username == ""
    assert ContactField.objects.count() == 1


def test_numbers_are_completed_by_the_companys_country(client: Any, acme: Company) -> None:
    change_setting(company_id=acme.pk, key="country", value="US")
    [row] = preview(client, "numero\n(212) 555-0143")["rows"]
    assert row["number"] == "+1 212-555-0143"


def test_another_companys_contact_is_not_shown(client: Any, globex: Company, acme: Company) -> None:
    make_contact(globex, name="Segredo", number="5511980000100", email="s@example.com")
    [row] = preview(client, "nome;numero\nAna;11 98000-0100")["rows"]
    assert identity(row)[0] == "Ana"
    assert (row["email"], row["isDuplicate"]) == ("", False)


def test_mapped_columns_are_shown_and_imported(client: Any, acme: Company) -> None:
    content = MAPPED + "Ana,x,11 98000-0100,ana,BR.5,Recife\n,Bia,,bia,BR.6,\n"
    guessed = preview(client, content)
    assert guessed["columns"][:3] == ["contato", "cliente", "zap"]
    assert (guessed["headerRow"], guessed["numberColumn"], guessed["rows"]) == (1, None, [])
    layout = {key: guessed[key] for key in ("sheet", "headerRow")}
    layout |= {"nameColumn": 0, "numberColumn": 2, "usernameColumn": 3, "userIdColumn": 4}
    shown = preview(client, content, **layout)["rows"]
    assert [identity(row) for row in shown] == [
        ("Ana", "+55 11 98000-0100", "", "ana", "BR.5"),
        ("bia", "", "", "bia", "BR.6"),
    ]
    assert shown[0]["extraInfo"] == [
        {"name": "cliente", "value": "x"},
        {"name": "Cidade", "value": "Recife"},
    ]
    assert send(client, content, **layout).status_code == 202
    import_due(limit=1)
    assert stored() == {
        ("Ana", "5511980000100", "", "ana", "BR.5", "x"),
        ("Ana", "5511980000100", "", "ana", "BR.5", "Recife"),
        ("bia", "BR.6@lid", "", "bia", "BR.6", "Bia"),
    }


def test_a_file_without_a_header_keeps_its_first_row_and_names_its_errors(client: Any) -> None:
    content = xlsx([("Bia", "21 98000-0200", "vip"), ("Zé", "onze", "")], ("Ana", "11980000100"))
    guessed = preview(client, content, file_name="a.xlsx")
    assert (guessed["headerRow"], guessed["columns"]) == (0, ["", "", ""])
    layout: dict[str, Any] = {"sheet": 0, "headerRow": 0, "nameColumn": 0, "numberColumn": 1}
    rows = preview(client, content, file_name="a.xlsx", **layout)["rows"]
    assert [(row["row"], row["name"], row["extraInfo"]) for row in rows] == [
        (1, "Ana", []),
        (2, "Bia", []),
        (3, "Zé", []),
    ]
    done = send(client, content, file_name="a.xlsx", **layout).json()
    import_due(limit=1)
    assert {row[:2] for row in stored()} == {("Ana", "5511980000100"), ("Bia", "5521980000200")}
    faults = client.get(f"/api/contacts/imports/{done['id']}/errors").getvalue()
    head, fault = faults.decode("utf-8-sig").splitlines()
    assert head == '"linha do arquivo";"nome";"numero";"erro da importação"'
    assert fault.startswith('"3";"Zé";"onze";')


@pytest.mark.parametrize("call", ["", "/preview"])
@pytest.mark.parametrize(
    ("layout", "code"),
    [
        ({"numberColumn": 60}, "ERR_VALIDATION"),
        ({"userIdColumn": -1}, "ERR_VALIDATION"),
        ({"headerRow": -1, "numberColumn": 1}, "ERR_VALIDATION"),
    ],
)
def test_columns_that_no_file_has_are_refused(
    client: Any, call: str, layout: dict[str, int], code: str
) -> None:
    answer = send(client, "a;b\nAna;5511980000100", call, **{"sheet": 0, "headerRow": 1, **layout})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not ContactImport.objects.exists()


def test_an_import_by_columns_that_identify_nobody_is_refused(client: Any) -> None:
    layout: dict[str, Any] = {"sheet": 0, "headerRow": 1, "nameColumn": 0}
    answer = send(client, "a;b\nAna;5511980000100", **layout)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_CONTACT_FILE_COLUMNS")
    answer = send(client, "numero\n5511980000100", "/preview", **{**layout, "sheet": 19})
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_CONTACT_FILE_COLUMNS")
    assert not ContactImport.objects.exists()


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"nome;numero", "contatos.pdf", 415, "ERR_CONTACT_FILE_TYPE"),
        (b"\x89PNG\r\n\x1a\n\x00", "contatos.csv", 415, "ERR_CONTACT_FILE_TYPE"),
        (b"PK\x03\x04 quebrado", "contatos.xlsx", 400, "ERR_SHEET_UNREADABLE"),
        (b"nome;numero\n", "contatos.csv", 400, "ERR_SHEET_EMPTY"),
        (b"0" * (20 * 1024 * 1024 + 1), "contatos.csv", 413, "ERR_SHEET_TOO_LARGE"),
    ],
    ids=["name", "picture", "broken", "a title alone", "too large"],
)
def test_a_preview_has_the_bounds_of_an_import(
    client: Any, content: bytes, name: str, status: int, code: str
) -> None:
    answer = send(client, content, "/preview", file_name=name)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_only_two_files_are_read_for_previews_at_a_time(client: Any) -> None:
    readers = sheet_layouts._READERS
    assert readers.acquire(blocking=False) and readers.acquire(blocking=False)
    try:
        answer = send(client, xlsx(people(1)), "/preview", file_name="a.xlsx")
    finally:
        readers.release(2)
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_PREVIEW_BUSY")
    assert answer["Retry-After"] == "5"


def test_a_preview_takes_as_many_queries_for_twenty_rows_as_for_one(
    client: Any, acme: Company
) -> None:
    taken = []
    for count in (1, 20):
        rows = [(*person, "x") for person in people(count)]
        for name, number, *_ in rows[: max(count // 2, 1)]:
            Contact.objects.filter(number=number).delete()
            make_contact(acme, name=name, number=number)
        content = xlsx(rows, ("nome", "numero", "email", "Plano"))
        with CaptureQueriesContext(database) as queries:
            preview(client, content, file_name="a.xlsx")
        assert not any("FOR UPDATE" in (query["sql"] or "") for query in queries.captured_queries)
        taken.append(len(queries))
    assert taken[0] == taken[1]
