"""Rows of theirs as ours, without a database."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from apps.movein.mapping.companies import in_order, invoice_of, roots_of, settings_of
from apps.movein.mapping.extras import campaign_settings_of, person_of, schedule_of
from apps.movein.mapping.hours import schedules_of
from apps.movein.mapping.messages import message_of
from apps.movein.mapping.tickets import passes_of, ticket_of
from apps.movein.mapping.values import Remarks, day, flag, moment, money, text, whole

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def codes(remarks: Remarks) -> list[str]:
    return [code for code, _ in remarks.found]


def test_values_of_each_database_and_dump_are_read() -> None:
    noon = datetime(2025, 3, 10, 12, tzinfo=UTC)
    for told in ("2025-03-10 12:00:00", "2025-03-10 09:00:00-03", "2025-03-10T12:00:00.000+00:00"):
        assert moment(told) == noon
    assert moment(datetime(2025, 3, 10, 12)) == noon
    assert moment("soon") is moment(None) is None
    assert [flag(each) for each in ("t", "1", 1, True, b"\x01", "f", "0", 0, None)] == (
        [True] * 5 + [False] * 4
    )
    assert (whole("7"), whole("x", default=3), whole(-5), whole(1e30)) == (7, 3, 0, 2**31 - 1)
    assert str(money("NaN")) == "0" and str(money(99.9)) == "99.90"
    assert day("2025-03-10 00:00:00-03") == date(2025, 3, 10) and day("") is None
    assert text("a\x00b\ud83d") == "ab"


def test_hours_without_any_are_always_open() -> None:
    rows = schedules_of(None, Remarks())
    assert len(rows) == 8 and {each["startTime"] for each in rows} == {""}
    half = [{"weekdayEn": "monday", "startTime": "08:00", "endTime": None}]
    assert schedules_of(half, Remarks())[0]["startTime"] == ""


def test_options_find_their_queue_and_their_order() -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "queueId": 7, "parentId": None, "option": "1"},
        {"id": 2, "queueId": None, "parentId": 1, "option": "b"},
        {"id": 3, "queueId": None, "parentId": 2, "option": None},
        {"id": 4, "queueId": None, "parentId": 1, "option": "1"},
        {"id": 5, "queueId": None, "parentId": 6, "option": "1"},
        {"id": 6, "queueId": None, "parentId": 5, "option": "1"},
    ]
    assert roots_of(rows) == {1: 7, 2: 7, 3: 7, 4: 7, 5: None, 6: None}
    assert in_order([each | {"_queue": 7} for each in rows[:4]]) == {1: 1, 4: 1, 2: 2, 3: 1}


def test_settings_in_their_stored_form() -> None:
    rows = [
        {"id": 1, "key": "autoReopenTimeout", "value": "999999"},
        {"id": 2, "key": "scheduleType", "value": "queue"},
        {"id": 3, "key": "asaas", "value": " chave "},
        {"id": 4, "key": "apptoken", "value": "disabled"},
    ]
    remarks = Remarks()
    kept = settings_of(rows, remarks)
    assert kept.keys() == {"reopenWindowMinutes", "scheduleType", "asaas"}
    assert kept["reopenWindowMinutes"] == "10080" and "chave" not in kept["asaas"]
    assert remarks.found == []
    told = campaign_settings_of([{"id": 1, "key": "variables", "value": "{broken"}], remarks)
    assert told == {"variables": []}


def ticket(**values: Any) -> dict[str, Any]:
    row = {"id": 5, "status": "closed", "createdAt": NOW, "updatedAt": NOW + 5 * HOUR}
    return row | values


def cycle(number: int, **hours: float) -> dict[str, Any]:
    times = {f"{name}At": NOW + hour * HOUR for name, hour in hours.items()}
    return {"id": number, "createdAt": NOW, **times}


@pytest.mark.parametrize("status", ["open", "pending", "closed", "nps", None])
@pytest.mark.parametrize(
    "cycles",
    [
        [],
        [cycle(1, queued=1)],
        [cycle(1, queued=1, started=2, finished=3)],
        [cycle(1, queued=1, started=2, finished=0)],
        [cycle(1, queued=4, started=2)],
        [cycle(1, queued=1), cycle(2, queued=2), cycle(3, queued=3, finished=9)],
    ],
)
def test_a_ticket_has_the_cycles_that_the_product_makes(
    status: str | None, cycles: list[dict[str, Any]]
) -> None:
    row = ticket(status=status, userId=3)
    fields = ticket_of(row, Remarks(), NOW)
    made = passes_of(fields, row, cycles, [], Remarks())
    unfinished = [each for each in made if each.fields["finished_at"] is None]
    is_live = fields["status"] in {"open", "pending"}
    assert len(unfinished) == is_live and (not is_live or made[-1] is unfinished[0])
    assert fields["closed_at"] == made[-1].fields["finished_at"]
    assert fields["queued_at"] == made[-1].fields["queued_at"]
    assert [each.legacy_id for each in made if each.legacy_id] == [each["id"] for each in cycles]
    for each in made:
        started, finished = each.fields["started_at"], each.fields["finished_at"]
        assert started is None or started >= each.fields["queued_at"]
        assert finished is None or finished >= (started or each.fields["queued_at"])
    assert (made[-1].fields["started_at"] is not None) or fields["status"] != "open"


def test_ratings_go_to_the_cycle_that_asked() -> None:
    row = ticket()
    cycles = [
        cycle(1, queued=0, started=0.5, rating=1, finished=1),
        cycle(2, queued=2, started=2.5, finished=3),
    ]
    ratings = [
        {"id": 1, "rate": 5, "createdAt": NOW + 1.1 * HOUR},
        {"id": 2, "rate": 0, "createdAt": NOW + 4 * HOUR},
        {"id": 3, "rate": 2, "createdAt": NOW + 4.1 * HOUR},
    ]
    remarks = Remarks()
    made = passes_of(ticket_of(row, remarks, NOW), row, cycles, ratings, remarks)
    assert [each.fields["rate"] for each in made] == [3, 1]
    assert codes(remarks) == ["rate_changed", "rate_changed", "rating_without_cycle"]


@pytest.mark.parametrize(
    ("told", "url", "kind"),
    [
        (None, None, "conversation"),
        ("chat", None, "conversation"),
        ("text", None, "conversation"),
        ("text", "a.txt", "application"),
        ("conversation", "a.pdf", "application"),
        ("extendedTextMessage", None, "extendedTextMessage"),
        ("stickerMessage", "a.webp", "sticker"),
        ("audio", "a.ogg", "audio"),
        ("contactMessage", None, "vcard"),
        ("call_log", None, "call_log"),
        ("listResponseMessage", None, "conversation"),
        ("ephemeralMessage", None, "unknown"),
        ("somethingNew", "a.bin", "application"),
    ],
)
def test_kinds_of_messages(told: str | None, url: str | None, kind: str) -> None:
    row = {"id": "A", "mediaType": told, "mediaUrl": url, "body": "x", "createdAt": NOW}
    fields = message_of(row, Remarks(), NOW)
    assert fields["media_type"] == kind
    assert (fields.get("media_state") == "failed") == (url is not None)


@pytest.mark.parametrize(("ack", "kept"), [(0, 1), (None, 1), (-3, 1), (2, 2), (5, 5), (9, 5)])
def test_no_message_of_our_side_waits(ack: int | None, kept: int) -> None:
    row = {"id": "A", "fromMe": True, "ack": ack, "body": "x", "createdAt": NOW}
    assert message_of(row, Remarks(), NOW)["ack"] == kept


def test_a_schedule_waits_for_a_person() -> None:
    remarks = Remarks()
    row = {"id": 1, "body": "Oi", "sendAt": NOW + HOUR, "status": "AGENDADA"}
    fields = schedule_of(row, remarks, NOW)
    assert fields and (fields["status"], fields["state"]) == ("ERRO", "failed")
    assert codes(remarks) == ["schedule_to_confirm"]
    sent = schedule_of(row | {"status": "ENVIADA"}, remarks, NOW)
    assert sent and (sent["status"], sent["state"]) == ("ENVIADA", "done")
    assert schedule_of({"id": 1}, remarks, NOW) is None


def test_people_of_lists() -> None:
    assert person_of("+55 (11) 98765-0001")[1] == "5511987650001"
    assert person_of("120363041234567890@g.us")[1] == "120363041234567890"
    assert person_of(None) == person_of("abc") == ("", "")


def test_invoices_need_a_day() -> None:
    assert invoice_of({"id": 1, "dueDate": ""}, Remarks(), NOW) is None
    paid = invoice_of({"id": 1, "dueDate": "2025-01-02", "status": "paid"}, Remarks(), NOW)
    assert paid and paid["status"] == "paid" and paid["paid_at"] is not None
