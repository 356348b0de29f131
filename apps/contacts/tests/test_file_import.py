"""Files that make contacts: what is made of their rows, what is refused (rules/contacts §12)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common import sheet_jobs
from apps.common.leases import free_all_claims
from apps.common.sheet_parsing import ROW_LENGTH
from apps.companies.models import Company
from apps.contacts.models import Contact, ContactImport
from apps.contacts.services.file_importing import ContactReader, import_due
from conftest import ClientFor
from tests.factories import make_contact, make_user
from tests.sheets import people, upload_of, with_part, xlsx

pytestmark = pytest.mark.django_db
UPLOAD, CURRENT = "/api/contacts/import-file", "/api/contacts/imports/current"
XLS = Path(__file__).parents[2] / "campaigns/tests/clientes.xls"


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(client_for: ClientFor, agent: User) -> Any:
    return client_for(agent)


def upload(client: Any, content: "str | bytes", name: str = "contatos.csv") -> Any:
    given = content.encode() if isinstance(content, str) else content
    return client.post(UPLOAD, {"file": upload_of(given, name)}, format="multipart")


def outcome(client: Any, content: "str | bytes", name: str = "contatos.csv") -> dict[str, Any]:
    """Upload a file, let a worker read it, and return what became of it."""
    answer = upload(client, content, name)
    assert answer.status_code == 202, answer.content
    import_due(limit=1)
    done: dict[str, Any] = client.get(CURRENT).json()["import"]
    return done


def counts(done: dict[str, Any]) -> list[int]:
    names = ("rows", "created", "existing", "filled", "failed")
    return [done[f"{name}Count"] for name in names]


def faults(client: Any, done: dict[str, Any], language: str = "pt") -> list[str]:
    address = f"/api/contacts/imports/{done['id']}/errors"
    answer = client.get(address, headers={"Accept-Language": language})
    lines: list[str] = answer.getvalue().decode("utf-8-sig").splitlines()
    return lines


def identities(company: Company) -> set[tuple[Any, ...]]:
    rows = Contact.objects.for_company(company)
    fields = ("name", "number", "canonical_number", "user_id", "username", "email")
    return set(rows.values_list(*fields))


def test_rows_make_contacts_with_all_that_stands_in_them(
    client: Any, acme: Company, events: list[dict[str, Any]]
) -> None:
    done = outcome(
        client,
        "Usuário;NÚMERO;E-mail;User ID;Nome;Cidade;CPF\n"
        "@ana.s;+55 (11) 99999-0001;ana@example.com;;Ana Souza;São Paulo;111\n"
        ";551188887777;;;;;\n"
        "bia;;;BR.77;Bia;Olinda;\n"
        ";;;;;;\n",
    )
    assert (done["status"], counts(done)) == ("done", [3, 3, 0, 0, 0])
    assert identities(acme) == {
        ("Ana Souza", "5511999990001", "5511999990001", None, "ana.s", "ana@example.com"),
        ("551188887777", "551188887777", "5511988887777", None, "", ""),
        ("Bia", "BR.77@lid", "lid:BR.77", "BR.77", "bia", ""),
    }
    ana = Contact.objects.get(name="Ana Souza")
    assert list(ana.extra_info.values_list("name", "value")) == [
        ("Cidade", "São Paulo"),
        ("CPF", "111"),
    ]
    [found] = client.get("/api/contacts/?searchParam=ANA.S").json()["contacts"]
    assert found["username"] == "ana.s"
    told = [each["payload"] for each in events if each["event"] == "contactImport"]
    assert [each["record"]["status"] for each in told] == ["waiting", "running", "done"]
    assert {"action": "reload"} in [each["payload"] for each in events]
    entry = AuditEntry.objects.get(action="contacts.imported")
    assert entry.detail == {
        "file": "contatos.csv", "count": 3, "created": 3, "existing": 0, "invalid": 0
    }  # fmt: skip


def test_who_is_known_gets_what_is_missing_and_keeps_the_rest(client: Any, acme: Company) -> None:
    known = make_contact(acme, name="Ana", number="551188887777", canonical_number="5511988887777")
    known.extra_info.create(name="CPF", value="1")
    known.extra_info.create(name="cidade", value="")
    met = make_contact(
        acme, name="Bia", number="BR.7@lid", canonical_number="lid:BR.7", user_id="BR.7",
        username="bia", email="bia@example.com",
    )  # fmt: skip
    full = make_contact(
        acme, name="Eva", number="5511999990003", user_id="BR.9", email="e@a.example"
    )
    updated_at = full.updated_at
    done = outcome(
        client,
        "nome,numero,email,username,userId,CPF,Cidade,Plano\n"
        "Outra,+55 11 98888-7777,ana@example.com,ana,BR.5,2,Recife,Ouro\n"
        "Outra,5511999990002,outra@example.com,outra,BR.7,,,\n"
        "Outra,5511999990003,outra@example.com,,BR.9,,,\n"
        "Outra,5511999990004,x@example.com,,BR.9,,,\n",
    )
    assert counts(done) == [4, 0, 4, 2, 0]
    assert identities(acme) == {
        ("Ana", "551188887777", "5511988887777", "BR.5", "ana", "ana@example.com"),
        ("Bia", "5511999990002", "5511999990002", "BR.7", "bia", "bia@example.com"),
        ("Eva", "5511999990003", "5511999990003", "BR.9", "", "e@a.example"),
    }
    lines = set(known.extra_info.values_list("name", "value"))
    assert lines == {("CPF", "1"), ("cidade", "Recife"), ("Plano", "Ouro")}
    full.refresh_from_db()
    assert full.updated_at == updated_at
    met.refresh_from_db()
    assert "5511999990002" in met.search_text


def test_two_that_a_row_would_make_one_stay_two(client: Any, acme: Company) -> None:
    make_contact(acme, name="Ana", number="5511999990001")
    make_contact(acme, name="Bia", number="5511999990002", user_id="BR.7")
    before = identities(acme)
    done = outcome(
        client,
        "numero;userId;email\n"
        "5511999990001;BR.7;a@example.com\n"
        "5511999990003;;\n;BR.8;\n"
        "5511999990003;BR.8;a@example.com\n",
    )
    assert counts(done) == [4, 2, 0, 0, 2]
    assert before < identities(acme)
    assert not Contact.objects.filter(email="a@example.com").exists()
    line, *wrong = faults(client, done)
    assert line == '"linha do arquivo";"numero";"userId";"email";"erro da importação"'
    assert [each.split(";")[0] for each in wrong] == ['"2"', '"5"']
    assert all("dois contatos diferentes" in each for each in wrong)


def test_rows_of_one_person_in_a_file_make_one_contact(client: Any, acme: Company) -> None:
    done = outcome(
        client,
        "numero;userId;username;Cidade\n"
        "551199990001;;;Recife\n"
        "5511999990001;BR.1;;Olinda\n"
        ";BR.1;ana;\n",
    )
    assert counts(done) == [3, 1, 2, 0, 0]
    assert identities(acme) == {
        ("551199990001", "551199990001", "5511999990001", "BR.1", "ana", "")
    }
    assert Contact.objects.get().extra_info.get().value == "Recife"


def test_wrong_rows_are_told_in_words_and_can_be_sent_again(client: Any, acme: Company) -> None:
    header = "nome;numero;email;username;userId;Cidade"
    wrong = [
        "Sem nada;;;;;",
        "Letras;onze;;;;",
        "Curto;1234567;;;;",
        "Comprido;1234567890123456;;;;",
        f"{'x' * 51};5511999990001;;;;",
        "E-mail;5511999990001;eva@;;;",
        f"Usuário;5511999990001;;{'u' * 101};;",
        "Id;5511999990001;;;não é;",
        f"Longo;5511999990001;;;;{'x' * 5001}",
        "Grupo;120363000000000001@g.us;;;;",
    ]
    done = outcome(client, "\n".join([header, *wrong]))
    assert counts(done) == [10, 0, 0, 0, 10]
    assert identities(acme) == set()
    told = faults(client, done, "en")
    assert told[0].endswith('"Cidade";"import error"')
    assert [line.rpartition(";")[2] for line in told[1:3]] == [
        '"The number or the userId is missing. If the cell has a formula, open and save the file '
        'in Excel."',
        '"Give the number with country and area code, digits only."',
    ]
    assert len({line.rpartition(";")[2] for line in told[1:]}) == 8
    again = "\n".join([told[0], told[2].replace("onze", "5511999990001")])
    assert counts(outcome(client, again)) == [1, 1, 0, 0, 0]
    assert not Contact.objects.get().extra_info.exists()


def test_what_is_exported_is_imported_elsewhere_as_it_was(
    client_for: ClientFor, client: Any, outsider: User, acme: Company, globex: Company
) -> None:
    for name, number in (
        ('=cmd|"x"', "5511999990001"),
        ("Z", "5511999990002"),
        ("D'Ávila; 2ª", ""),
    ):
        user_id = None if number else "BR.3"
        make_contact(
            acme, name=name, number=number or "BR.3@lid", user_id=user_id, email=f"{name[0]}@a.co",
            canonical_number=number or "lid:BR.3", username=f"-{name[0].lower()}",
        )  # fmt: skip
    Contact.objects.filter(name='=cmd|"x"').update(email="ana@example.com")
    exported = client.get("/api/contacts/export").getvalue()
    theirs = client_for(outsider)
    windows = exported.decode("utf-8-sig").encode("cp1252")
    done = outcome(theirs, exported, "contacts.csv")
    assert counts(done) == [3, 3, 0, 0, 0]
    assert identities(globex) == identities(acme)
    assert counts(outcome(theirs, windows, "contacts.csv")) == [3, 0, 3, 0, 0]
    assert identities(globex) == identities(acme)


def test_sheets_are_read_as_texts_are(client: Any, acme: Company) -> None:
    header = ("Nome", "WhatsApp", "Nascimento")
    done = outcome(client, xlsx([("Ana", 5511999990001.0, "12/05/1990")], header), "a.xlsx")
    assert counts(done) == [1, 1, 0, 0, 0]
    done = outcome(client, XLS.read_bytes(), "clientes.xls")
    assert counts(done)[:4] == [4, 1, 1, 1]


def test_a_formula_counts_by_the_value_that_was_saved(client: Any, acme: Company) -> None:
    done = outcome(client, xlsx([("Ana", '=CONCATENATE("55","11999990001")')],
                                ("nome", "numero")), "a.xlsx")  # fmt: skip
    assert counts(done) == [1, 0, 0, 0, 1]
    assert "fórmula" in faults(client, done)[1]


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"nome;numero", "contatos.pdf", 415, "ERR_CONTACT_FILE_TYPE"),
        (b"", "contatos.csv", 415, "ERR_CONTACT_FILE_TYPE"),
        (b"\x89PNG\r\n\x1a\n\x00", "contatos.csv", 415, "ERR_CONTACT_FILE_TYPE"),
        (b"PK\x03\x04 quebrado", "contatos.xlsx", 400, "ERR_SHEET_UNREADABLE"),
        (b"0" * (20 * 1024 * 1024 + 1), "contatos.csv", 413, "ERR_SHEET_TOO_LARGE"),
        (with_part(xlsx(people(1)), "xl/worksheets/sheet1.xml", b"0" * 201 * 1024 * 1024),
         "bomba.xlsx", 413, "ERR_SHEET_TOO_FULL"),
    ],
    ids=["name", "nothing", "picture", "broken", "too large", "bomb"],
)  # fmt: skip
def test_what_is_no_file_of_contacts_is_refused_at_once(
    client: Any, content: bytes, name: str, status: int, code: str
) -> None:
    answer = upload(client, content, name)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not ContactImport.objects.exists()


def test_200_megabytes_are_refused_before_they_are_read(client: Any) -> None:
    answer = client.generic(
        "POST", UPLOAD, b"", "multipart/form-data; boundary=x", CONTENT_LENGTH=str(200 * 2**20)
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "ERR_REQUEST_TOO_LARGE")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("cliente;celulares\nAna;5511999990001", "ERR_CONTACT_FILE_COLUMNS"),
        ("nome;email\nAna;ana@example.com", "ERR_CONTACT_FILE_COLUMNS"),
        ("nome;numero\n;\n", "ERR_SHEET_EMPTY"),
        ("numero" * 200_000, "ERR_SHEET_UNREADABLE"),
        ("numero\n5511999990001\n" + "5" * 1_000_000, "ERR_SHEET_UNREADABLE"),
    ],
    ids=["other columns", "nobody's identity", "no rows", "one line", "a line further"],
)
def test_a_file_that_cannot_be_used_leaves_nothing_and_says_why(
    client: Any, content: str, code: str
) -> None:
    done = outcome(client, content)
    assert (done["status"], done["errorCode"]) == ("failed", code)
    assert not Contact.objects.exists()
    assert ContactImport.objects.get().media_path == ""


def test_a_company_imports_one_file_at_a_time(
    client: Any, client_for: ClientFor, outsider: User
) -> None:
    assert upload(client, "numero\n5511999990001").status_code == 202
    answer = upload(client, "numero\n5511999990002")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_CONTACT_IMPORT_RUNNING")
    assert upload(client_for(outsider), "numero\n5511999990001").status_code == 202
    assert client.get(CURRENT).json()["import"]["user"]["name"] == "Bob"


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sheet_jobs, "BATCH", 10)
    yield


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """Have something happen right before a batch is stored."""
    store, steps = ContactReader.store, []

    def counted(*args: Any) -> None:
        steps.append(1)
        if len(steps) == step:
            act()
        store(*args)

    monkeypatch.setattr(ContactReader, "store", counted)


@pytest.mark.usefixtures("small_batches")
def test_a_successor_goes_on_where_a_killed_worker_was(
    client: Any, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        raise SystemExit

    upload(client, xlsx(people(45)), "a.xlsx")
    killed_at(3, monkeypatch, die)
    with pytest.raises(SystemExit):
        import_due(limit=1)
    half = ContactImport.objects.get()
    assert (half.rows_read, half.created_count) == (20, 20)
    free_all_claims()
    import_due(limit=1)
    assert counts(client.get(CURRENT).json()["import"]) == [45, 45, 0, 0, 0]
    assert Contact.objects.for_company(acme).count() == 45


def test_rows_of_long_texts_are_stored_a_few_at_a_time(
    client: Any, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    store = ContactReader.store

    def noted(self: Any, job: Any, batch: Any, claim: Any) -> None:
        lengths.append(sum(self.length_of(row) for row in batch))
        store(self, job, batch, claim)

    monkeypatch.setattr(ContactReader, "store", noted)
    heads = ";".join(f"coluna {place}" for place in range(12))
    rows = [";".join([f"55119999{row:05}", *["a" * 5000] * 12]) for row in range(20)]
    done = outcome(client, "\n".join([f"numero;{heads}", *rows]))
    assert (done["status"], done["rowsCount"], done["failedCount"]) == ("done", 20, 20)
    assert len(lengths) == 3
    assert max(lengths) < sheet_jobs.BATCH_LENGTH + ROW_LENGTH


@pytest.mark.usefixtures("small_batches")
def test_a_canceled_import_ends_and_keeps_what_it_made(
    client: Any, client_for: ClientFor, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = upload(client, xlsx(people(45)), "a.xlsx").json()
    cancel = f"/api/contacts/imports/{job['id']}/cancel"
    assert client_for(make_user(acme)).post(cancel).status_code == 403
    killed_at(3, monkeypatch, lambda: client.post(cancel))
    import_due(limit=1)
    done = client.get(CURRENT).json()["import"]
    assert (done["status"], done["rowsRead"], done["createdCount"]) == ("canceled", 20, 20)
    assert Contact.objects.for_company(acme).count() == 20
    assert client.post(cancel).json()["status"] == "canceled"
    assert AuditEntry.objects.filter(action="contacts.import_canceled").count() == 1
    assert upload(client, "numero\n5511999990001").status_code == 202


def test_a_batch_takes_as_many_queries_as_a_row(
    client: Any, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How often it is told goes by the clock; SQLite takes no more values in one statement.
    monkeypatch.setattr(sheet_jobs, "TOLD_SECONDS", 3600)
    taken = []
    for count, first in ((2, 0), (60, 1000)):
        rows = [(f"P{each}", f"55119{first + each:08}", f"{each}@a.co", each)
                for each in range(count)]  # fmt: skip
        half = rows[: count // 2]
        for name, number, _, _ in half:
            make_contact(acme, name=name, number=number).extra_info.create(name="Nº", value="")
        upload(
            client, xlsx([*rows, ("", "", "x", "")], ("nome", "numero", "email", "Nº")), "a.xlsx"
        )
        with CaptureQueriesContext(database) as queries:
            import_due(limit=1)
        taken.append(len(queries))
        done = client.get(CURRENT).json()["import"]
        assert counts(done) == [count + 1, count // 2, count // 2, count // 2, 1]
    assert taken[0] == taken[1]


def test_the_example_that_the_page_offers_is_taken_whole(client: Any, acme: Company) -> None:
    example = Path(__file__).parents[3] / "frontend/src/features/contacts/modelo-contatos.xlsx"
    done = outcome(client, example.read_bytes(), "modelo-contatos.xlsx")
    assert (done["status"], done["failedCount"]) == ("done", 0)
    assert Contact.objects.get(name="Bia Castro").user_id == "BR.13491208655302741918"


def test_a_lid_completes_who_has_a_user_id(client: Any, acme: Company) -> None:
    known = make_contact(acme, number="5511999990001", user_id="BR.1")
    done = outcome(client, "numero,userId\n5511999990001,777\n,777\n,BR.1\n,BR.2\n")
    assert counts(done) == [4, 1, 3, 1, 0]
    known.refresh_from_db()
    assert (known.lid, known.user_id) == ("777", "BR.1")
    assert Contact.objects.exclude(pk=known.pk).get().user_id == "BR.2"


def test_local_numbers_of_a_file_get_the_companys_country(client: Any, acme: Company) -> None:
    make_contact(acme, name="Ana", number="5511980000100")
    done = outcome(
        client, "nome;numero\nAna;(11) 98000-0100\nBia;11 98000-0200\nKari;+47 98765432\n"
    )
    assert counts(done)[:3] == [3, 2, 1]
    numbers = set(Contact.objects.values_list("number", flat=True))
    assert numbers == {"5511980000100", "5511980000200", "4798765432"}


def test_a_foreign_number_is_the_same_after_export_and_import(
    client: Any, client_for: ClientFor, outsider: User, acme: Company, globex: Company
) -> None:
    make_contact(acme, name="Kari", number="4798765432")
    exported = client.get("/api/contacts/export").getvalue()
    assert b'"Kari";"+4798765432"' in exported
    outcome(client_for(outsider), exported, "contacts.csv")
    assert Contact.objects.for_company(globex).get().number == "4798765432"
