"""GET /contacts/export: a CSV file that is read while it is sent."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.contacts import queries
from apps.contacts.models import Contact
from conftest import ClientFor
from tests.factories import make_contact

pytestmark = pytest.mark.django_db
URL = "/api/contacts/export"


def rows_of(answer: Any) -> list[list[str]]:
    text = answer.getvalue().decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(StringIO(text[1:], newline=""), delimiter=";"))


def test_the_file_is_named_and_holds_name_number_and_email(
    client_for: ClientFor, agent: User, acme: Company, globex: Company
) -> None:
    make_contact(acme, name="Zélia; a 2ª", number="5511987654321", email="z@example.com")
    make_contact(
        acme, name="Álvaro", number="5511900000001", username="alvaro.dias", user_id="BR.7"
    )
    make_contact(globex, name="Alheio")
    answer = client_for(agent).get(URL)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="contacts.csv"'
    assert rows_of(answer) == [
        ["name", "whatsapp", "email", "username", "userId"],
        ["Álvaro", "5511900000001", "", "alvaro.dias", "BR.7"],
        ["Zélia; a 2ª", "5511987654321", "z@example.com", "", ""],
    ]


def test_the_file_keeps_to_the_search_and_is_audited(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    make_contact(acme, name="Álvaro")
    make_contact(acme, name="Bruna")
    answer = client_for(agent).get(f"{URL}?searchParam=alvaro")
    assert [row[0] for row in rows_of(answer)] == ["name", "Álvaro"]
    entry = AuditEntry.objects.get(action="contacts.exported")
    assert (entry.actor, entry.company) == (agent, acme)
    assert entry.detail == {"search": "alvaro", "count": 1}


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3+cmd", "'-2+3+cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1+1", "' =1+1"),
        ("+55 (11) 98765-4321", "+55 (11) 98765-4321"),
        ("Linha\nnova", "Linha\nnova"),
        ("a=b", "a=b"),
        ("\t=1+1", "'\t'=1+1"),
        ("\r=1+1", "'\r'=1+1"),
        ("＝1+1", "'＝1+1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠A1", "'＠A1"),
        ("a;=1+1", "a;'=1+1"),
        ("a, @SUM(A1)", "a,' @SUM(A1)"),
        ("a\n-1+1", "a\n'-1+1"),
        ('a";=1+1', "a\";'=1+1"),
        ("Ana-Lúcia, a 2ª", "Ana-Lúcia, a 2ª"),
    ],
)
def test_no_cell_is_a_formula(
    client_for: ClientFor, agent: User, acme: Company, name: str, cell: str
) -> None:
    make_contact(acme, name=name)
    assert rows_of(client_for(agent).get(URL))[1][0] == cell


def test_every_text_is_quoted(client_for: ClientFor, agent: User, acme: Company) -> None:
    make_contact(acme, name="Ana, a 2ª", number="5511900000001")
    lines = client_for(agent).get(URL).getvalue().decode().split("\r\n")
    assert lines[1] == '"Ana, a 2ª";"5511900000001";"";"";""'


def test_rows_are_read_as_they_are_taken(
    client_for: ClientFor, agent: User, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "WALK_ROWS", 10)
    for number in range(35):  # several share a name, and a chunk ends among them
        make_contact(acme, name=f"Cliente {number // 12}")
    answer: Any = client_for(agent).get(URL)
    with CaptureQueriesContext(database) as taken:
        parts = iter(answer.streaming_content)
        assert next(parts).decode() == "\ufeffname;whatsapp;email;username;userId\r\n"
        assert len(taken) == 0
        sizes = []
        for part in parts:
            sizes.append(part.decode().count("\r\n"))
            assert len(taken) == len(sizes)
    assert sizes == [10, 10, 10, 5]


@pytest.mark.parametrize("text", ["", "cliente"])
def test_the_walk_misses_none_and_repeats_none(
    acme: Company, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(queries, "WALK_ROWS", 7)
    for number in range(28):
        make_contact(acme, name=("Cliente A", "cliente á", "Cliente " + "x" * 150)[number % 3])
    walked = [pk for rows in queries.walk_contacts(acme.pk, text, "pk") for (pk,) in rows]
    assert len(walked) == 28
    assert set(walked) == set(Contact.objects.values_list("pk", flat=True))
