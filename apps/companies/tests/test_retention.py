"""What a company no longer keeps goes, and nothing else does (rules/companies §9)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, Retention, RetentionRun
from apps.companies.services import retention
from apps.companies.services.retention import (
    GRACE,
    choose_retention,
    next_run_at,
    retention_of,
    run_due,
    start_runs,
)
from apps.tickets.models import ApiSend, Message, NoteMention, Ticket, TicketActivity
from conftest import ClientFor
from tests.factories import make_connection, make_message, make_ticket

pytestmark = pytest.mark.django_db(transaction=True)

YEAR = timedelta(days=366)
FOREVER: dict[str, int | None] = {
    "messages_years": None,
    "media_months": None,
    "logs_days": None,
}


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path)


def keep(company: Company | None, **values: int | None) -> Retention:
    return Retention.objects.create(company=company, **{**FOREVER, **values})


def with_file(ticket: Ticket, name: str, age: timedelta, **fields: Any) -> Message:
    path = default_storage.save(f"{ticket.company_id}/{name}", ContentFile(b"12345"))
    return make_message(
        ticket,
        media_type="image",
        media_state="ready",
        media_path=path,
        media_size=5,
        created_at=timezone.now() - age,
        **fields,
    )


def noted(ticket: Ticket, age: timedelta, **fields: Any) -> TicketActivity:
    fields = {"kind": "noted", "detail": {"actor": "Bob", "note": "Pediu sigilo"}, **fields}
    return TicketActivity.objects.create(ticket=ticket, created_at=timezone.now() - age, **fields)


def run_all() -> None:
    start_runs(timezone.now())
    while run_due(limit=5):
        pass


def test_old_messages_go_with_their_files_and_young_ones_stay(
    acme: Company, globex: Company
) -> None:
    keep(acme, messages_years=1)
    ticket, foreign = make_ticket(acme), make_ticket(globex)
    old = with_file(ticket, "old.png", YEAR)
    shared = with_file(ticket, "shared/campaign.png", YEAR)
    young = with_file(ticket, "young.png", timedelta(days=300), quoted=old)
    others = with_file(foreign, "others.png", YEAR * 3)
    run_all()
    assert set(Message.objects.values_list("pk", flat=True)) == {young.pk, others.pk}
    young.refresh_from_db()
    assert young.quoted is None
    assert [default_storage.exists(each.media_path) for each in (old, shared, young, others)] == [
        *(False, True, True, True)
    ]
    run = RetentionRun.objects.get()
    assert (run.state, run.rows, run.bytes_freed, run.paths) == ("done", {"messages": 2}, 5, [])
    entry = AuditEntry.objects.get(action="retention.ran")
    assert (entry.company_id, entry.detail["rows"]) == (acme.pk, {"messages": 2})


def test_a_ticket_stays_without_the_text_of_its_last_message(acme: Company) -> None:
    keep(acme, messages_years=1)
    ticket = make_ticket(acme, status="closed")
    message = make_message(ticket, body="segredo", created_at=timezone.now() - YEAR)
    Ticket.objects.filter(pk=ticket.pk).update(latest_message=message, last_message="segredo")
    run_all()
    ticket.refresh_from_db()
    assert (ticket.latest_message_id, ticket.last_message, ticket.status) == (None, "", "closed")


def test_notes_in_conversations_go_with_the_messages(
    acme: Company, globex: Company, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    keep(acme, messages_years=1)
    ticket, foreign = make_ticket(acme), make_ticket(globex)
    old = [noted(ticket, YEAR) for _ in range(4)]
    NoteMention.objects.create(company=acme, user=admin, ticket=ticket, note=old[0])
    young, others = noted(ticket, timedelta(days=300)), noted(foreign, YEAR * 3)
    told = {"actor": "Bob", "queue": "Vendas", "note": "É a Marina de novo"}
    handed = noted(ticket, YEAR, kind="transferred", detail=told)
    plain = noted(ticket, YEAR, kind="resolved", detail={"actor": "Bob"})
    run_all()
    kept = set(TicketActivity.objects.values_list("pk", flat=True))
    assert kept == {young.pk, others.pk, handed.pk, plain.pk}
    handed.refresh_from_db()
    assert handed.detail == {"actor": "Bob", "queue": "Vendas"}
    assert not NoteMention.objects.exists()
    assert RetentionRun.objects.get().rows == {"notes": 5}
    entry = AuditEntry.objects.get(action="retention.ran")
    assert entry.detail["rows"] == {"notes": 5}


def test_files_go_before_their_messages(acme: Company) -> None:
    keep(acme, media_months=2)
    ticket = make_ticket(acme)
    old = with_file(ticket, "old.png", timedelta(days=70), media_name="foto.png")
    young = with_file(ticket, "young.png", timedelta(days=50))
    path = old.media_path
    run_all()
    old.refresh_from_db()
    young.refresh_from_db()
    assert (old.media_state, old.media_path, old.media_name) == ("expired", "", "foto.png")
    assert not default_storage.exists(path)
    assert young.media_state == "ready"
    assert RetentionRun.objects.get().rows == {"media": 1}
    run_all()
    assert RetentionRun.objects.latest("pk").rows == {}


def test_logs_go_sooner_than_the_operators(acme: Company, globex: Company) -> None:
    keep(acme, logs_days=3)
    for company in (acme, globex):
        connection = make_connection(company)
        for days in (1, 5):
            at = timezone.now() - timedelta(days=days)
            ApiSend.objects.create(
                company=company, connection=connection, key=str(days), created_at=at
            )
    run_all()
    left = ApiSend.objects.values_list("company", flat=True)
    assert sorted(left) == sorted([acme.pk, globex.pk, globex.pk])


def test_many_rows_go_in_steps_and_a_run_goes_on_where_it_stopped(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(acme, messages_years=1)
    ticket = make_ticket(acme)
    for _ in range(7):
        make_message(ticket, created_at=timezone.now() - YEAR)
    monkeypatch.setattr(retention, "BATCH", 3)
    monkeypatch.setattr(retention, "STEP_SECONDS", 0.0)
    start_runs(timezone.now())
    run_due(limit=1)
    assert Message.objects.count() == 7  # no time for a batch
    monkeypatch.setattr(retention, "STEP_SECONDS", 20.0)
    run_due(limit=1)
    assert not Message.objects.exists()
    run = RetentionRun.objects.get()
    assert (run.state, run.rows) == ("done", {"messages": 7})


def test_a_file_that_could_not_be_deleted_is_deleted_by_the_next_attempt(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(acme, messages_years=1)
    old = with_file(make_ticket(acme), "old.png", YEAR)
    start_runs(timezone.now())

    def fail(path: str) -> None:
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr(retention, "delete_media", fail)
        run_due(limit=1)
    run = RetentionRun.objects.get()
    assert (run.state, run.last_error, run.paths) == ("waiting", "disk", [old.media_path])
    RetentionRun.objects.update(next_attempt_at=run.created_at)
    run_due(limit=1)
    assert not default_storage.exists(old.media_path)
    assert RetentionRun.objects.get().rows == {"messages": 1}


def test_nothing_goes_before_the_week_is_over(acme: Company, admin: User) -> None:
    make_message(make_ticket(acme), created_at=timezone.now() - YEAR)
    chosen = choose_retention(
        company_id=acme.pk, values={**FOREVER, "messages_years": 1}, actor=admin
    )
    assert chosen.applies_at > timezone.now() + GRACE - timedelta(minutes=1)
    assert start_runs(timezone.now() + GRACE - timedelta(hours=1)) == 0
    assert start_runs(timezone.now() + GRACE) == 1
    assert start_runs(timezone.now() + GRACE) == 0  # it has one already
    # A milder choice holds at once.
    Retention.objects.update(applies_at=timezone.now())
    milder = choose_retention(
        company_id=acme.pk, values={**FOREVER, "messages_years": 2}, actor=admin
    )
    assert milder.applies_at <= timezone.now()


def test_the_next_run_is_the_night_after_the_week() -> None:
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    chosen = Retention(messages_years=1, applies_at=now)
    assert next_run_at(chosen, now) == datetime(2026, 3, 3, 6, 10, tzinfo=UTC)
    chosen.applies_at = datetime(2026, 3, 9, 3, tzinfo=UTC)
    assert next_run_at(chosen, now) == datetime(2026, 3, 9, 6, 10, tzinfo=UTC)
    assert next_run_at(Retention(), now) is None


def test_the_super_users_choice_holds_for_who_has_none(acme: Company, globex: Company) -> None:
    keep(None, messages_years=1)
    keep(globex)
    for company in (acme, globex):
        make_message(make_ticket(company), created_at=timezone.now() - YEAR)
    run_all()
    assert list(Message.objects.values_list("company", flat=True)) == [globex.pk]
    assert retention_of(acme.pk).messages_years == 1
    assert retention_of(globex.pk).messages_years is None


def test_the_defaults_are_taken_after_a_week_where_they_are_stricter(
    client_for: ClientFor, acme: Company, admin: User
) -> None:
    keep(None, messages_years=1)
    keep(acme, messages_years=5)
    answer = client_for(admin).delete("/api/retention").json()
    assert (answer["isDefault"], answer["values"]["messagesYears"]) == (True, 1)
    assert retention_of(acme.pk).applies_at > timezone.now() + GRACE - timedelta(minutes=1)
    assert AuditEntry.objects.filter(action="retention.defaults_taken", company=acme).exists()


def test_an_admin_sees_what_would_go_before_choosing(
    client_for: ClientFor, acme: Company, admin: User
) -> None:
    ticket = make_ticket(acme)
    with_file(ticket, "old.png", YEAR)
    make_message(ticket, created_at=timezone.now() - YEAR)
    make_message(ticket)
    for age in (YEAR, timedelta(0)):
        noted(ticket, age)
    client = client_for(admin)
    seen = client.get("/api/retention/preview?messagesYears=1&mediaMonths=6")
    assert seen.status_code == 200, seen.json()
    amounts = {each["kind"]: (each["rows"], each["bytes"]) for each in seen.json()["amounts"]}
    assert amounts == {"messages": (2, 5), "notes": (1, 0), "media": (1, 5)}
    assert not Retention.objects.exists()
    values = {"messagesYears": 1, "mediaMonths": 6, "logsDays": None}
    chosen = client.put("/api/retention", values, format="json").json()
    assert (chosen["values"], chosen["isDefault"]) == (values, False)
    assert chosen["nextRunAt"] == seen.json()["runAt"]
    assert AuditEntry.objects.get(action="retention.changed").detail == values
    assert Message.objects.count() == 3
    back = client.delete("/api/retention").json()
    assert back["isDefault"] and back["nextRunAt"] is None


def test_what_is_counted_is_bounded(
    client_for: ClientFor, acme: Company, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "COUNTED", 2)
    ticket = make_ticket(acme)
    for _ in range(4):
        make_message(ticket, created_at=timezone.now() - YEAR)
    [seen, _] = client_for(admin).get("/api/retention/preview?messagesYears=1").json()["amounts"]
    assert (seen["rows"], seen["isMore"]) == (2, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [("messagesYears", 0), ("messagesYears", 21), ("mediaMonths", 241), ("logsDays", 31)],
)
def test_what_is_out_of_range_is_refused(
    client_for: ClientFor, admin: User, field: str, value: int
) -> None:
    values = {"messagesYears": None, "mediaMonths": None, "logsDays": None, field: value}
    refused = client_for(admin).put("/api/retention", values, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, [field])
    assert not Retention.objects.exists()


def test_the_super_user_chooses_the_defaults(
    client_for: ClientFor, super_user: User, admin: User
) -> None:
    values = {"messagesYears": 5, "mediaMonths": 12, "logsDays": None}
    address = "/api/retention/defaults"
    assert client_for(admin).put(address, values, format="json").status_code == 403
    assert client_for(super_user).put(address, values, format="json").json() == values
    seen = client_for(admin).get("/api/retention").json()
    assert (seen["values"], seen["defaults"], seen["isDefault"]) == (values, values, True)
