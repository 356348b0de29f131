import json
import logging
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.tokens import make_access_token
from apps.common import log_ids
from apps.common.leases import LeasedWork
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from config.reports import JsonLine, log_settings
from config.request_ids import RequestIds
from tests.factories import make_ticket, make_user


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    log_ids.begin()


def line(message: str, *args: Any, error: bool = False) -> dict[str, Any]:
    record = logging.LogRecord(
        "apps.x", logging.WARNING, "", 1, message, args, sys.exc_info() if error else None
    )
    formatted = JsonLine().format(record)
    assert "\n" not in formatted
    told: dict[str, Any] = json.loads(formatted)
    return told


def test_a_line_names_what_is_being_done() -> None:
    log_ids.begin(request="abc", company=None)
    log_ids.note(company=7, user=3)
    told = line("Row %s failed", 12)
    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "WARNING",
        "logger": "apps.x",
        "message": "Row 12 failed",
        "request": "abc",
        "company": 7,
        "user": 3,
    }
    log_ids.begin()
    assert "request" not in line("Later")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("to ana.souza+x@example.com.br failed", "to …@example.com.br failed"),
        ("Contact +5511984321100 and 5511984321100.", "Contact …00 and …00."),
        ("POST /resetpasswords/a@b.c/secret", "POST /resetpasswords/…"),
        ("at 2026-11-30T10:00:00 row 1234567 took 12 s", None),
        ("wamid.HBgNNTUxMTk4NDMyMTEwMBUCABIYFDNB is unknown", None),
        ("http://127.0.0.1:8000/5511984321100", None),
    ],
)
def test_people_are_masked_and_nothing_else(text: str, told: str | None) -> None:
    assert line(text)["message"] == (told or text)


def test_a_traceback_stays_in_its_line_and_is_masked() -> None:
    try:
        raise ValueError("ana@example.com")
    except ValueError:
        told = line("Broke", error=True)
    assert told["traceback"].splitlines()[-1] == "ValueError: …@example.com"


def test_an_unknown_form_is_refused_in_words() -> None:
    assert log_settings("INFO", "json")["formatters"]["line"]["()"] == "config.reports.JsonLine"
    with pytest.raises(ImproperlyConfigured, match="LOG_FORMAT is one of text, json"):
        log_settings("INFO", "xml")


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        ("", False),
        ("a1b2c3d4e5f6", True),
        ("short", False),
        ("x" * 65, False),
        ("a\nb c d e f", False),
    ],
)
def test_every_answer_names_its_request(given: str, is_kept: bool) -> None:
    seen: dict[str, Any] = {}

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        seen.update(log_ids.present())
        start("200 OK", [("A", "b")])
        return [b""]

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        seen["headers"] = headers

    RequestIds(application)({"HTTP_X_REQUEST_ID": given}, start)
    assert seen["headers"] == [("A", "b"), ("X-Request-ID", seen["request"])]
    assert (seen["request"] == given) is is_kept
    assert len(seen["request"]) >= 12


def test_a_call_names_company_user_and_conversation(acme: Company, connection: Connection) -> None:
    ana = make_user(acme, profile="admin")
    ticket = make_ticket(acme, connection=connection, user=ana, status="open")
    client = APIClient(headers={"Authorization": f"Bearer {make_access_token(ana)}"})
    log_ids.begin(request="r")
    assert client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"}).status_code == 200
    assert log_ids.present() == {
        "request": "r",
        "company": ana.company_id,
        "user": ana.pk,
        "ticket": ticket.pk,
    }


def test_a_row_of_work_names_itself_and_whom_it_is_about(connection: Connection) -> None:
    row = InboundEvent.objects.create(
        connection=connection, event_id="1", kind="x", partition="", payload={}
    )
    log_ids.begin(request="of before")
    work = LeasedWork(model=InboundEvent, lease_setting="INBOUND_LEASE_SECONDS")
    with work.claimed(1) as claim:
        assert claim.hold(row)
    assert log_ids.present() == {
        "work": "inboundevent",
        "row": row.pk,
        "connection": connection.pk,
    }
    assert row.next_attempt_at <= timezone.now()
