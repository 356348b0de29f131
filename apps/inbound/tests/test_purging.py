import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import IntegrationCall
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.desk.models import RuleRun
from apps.inbound.models import InboundEvent
from apps.inbound.services import purge_finished, purging
from apps.inbound.tasks import purge
from apps.mail.models import Mail
from apps.tickets.models import (
    ApiSend,
    BotTurn,
    Delivery,
    Message,
    NoteMention,
    TicketActivity,
    TicketActivityKind,
)
from tests.factories import make_integration, make_message, make_ticket


def store(connection: Connection, name: str, *, state: str, days: int) -> None:
    InboundEvent.objects.create(
        connection=connection,
        event_id=name,
        kind="message",
        partition="551",
        payload={},
        state=state,
        received_at=timezone.now() - timedelta(days=days),
    )


def names() -> list[str]:
    return list(InboundEvent.objects.order_by("pk").values_list("event_id", flat=True))


def test_old_events_go_when_they_are_done(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purging, "BATCH", 2)
    for number in range(5):
        store(connection, f"old{number}", state="done", days=31)
    store(connection, "parked", state="failed", days=31)
    store(connection, "waiting", state="waiting", days=31)
    store(connection, "old5", state="done", days=31)
    store(connection, "young", state="done", days=29)
    purge()
    assert names() == ["parked", "waiting", "young"]
    purge()
    assert names() == ["parked", "waiting", "young"]


def test_old_mails_go_and_those_that_failed_stay(acme: Company) -> None:
    for number, state in enumerate(("done", "failed", "waiting", "done")):
        mail = Mail.objects.create(
            company=acme, recipient="a@b.c", subject=state, body="", message_id=f"<{number}>"
        )
        days = 31 if number < 3 else 29
        created_at = timezone.now() - timedelta(days=days)
        Mail.objects.filter(pk=mail.pk).update(state=state, created_at=created_at)
    assert purge_finished(before=timezone.now() - timedelta(days=30)) == 1
    assert set(Mail.objects.values_list("message_id", flat=True)) == {"<1>", "<2>", "<3>"}


def test_old_deliveries_go_and_what_a_resend_repeats_stays(
    acme: Company, connection: Connection
) -> None:
    message = make_message(make_ticket(acme, connection=connection), from_me=True)
    rows = [("done", "send"), ("failed", "send"), ("failed", "read"), ("waiting", "send")]
    for state, kind in rows:
        Delivery.objects.create(
            company=acme,
            connection=connection,
            contact=message.contact,
            message=message,
            kind=kind,
            state=state,
            created_at=timezone.now() - timedelta(days=40),
        )
    assert purge_finished(before=timezone.now() - timedelta(days=30)) == 2
    kept = Delivery.objects.order_by("pk").values_list("state", "kind")
    assert list(kept) == [("failed", "send"), ("waiting", "send")]
    assert Message.objects.count() == 1


def test_old_turns_their_log_and_old_submissions_go(acme: Company, connection: Connection) -> None:
    ticket = make_ticket(acme, connection=connection)
    integration = make_integration(acme)
    for state in ("done", "failed", "waiting"):
        for days in (40, 1):
            at = timezone.now() - timedelta(days=days)
            turn = BotTurn.objects.create(
                company=acme,
                ticket=ticket,
                message=make_message(ticket),
                kind="integration",
                integration=integration,
                event_id=uuid.uuid4(),
                state=state,
                created_at=at,
            )
            IntegrationCall.objects.create(
                company=acme,
                integration=integration,
                turn=turn,
                event_id=turn.event_id,
                event="message.received",
                url=integration.url,
                created_at=at,
            )
            key = f"{state}-{days}"
            ApiSend.objects.create(company=acme, connection=connection, key=key, created_at=at)
    # A row of a table behind an older one that stays is reached all the same.
    first = BotTurn.objects.order_by("pk")[0]
    BotTurn.objects.filter(pk=first.pk).update(state="waiting")
    purge_finished(before=timezone.now() - timedelta(days=30))
    kept = sorted(BotTurn.objects.values_list("state", flat=True))
    assert kept == ["done", "failed", "waiting", "waiting", "waiting"]
    assert IntegrationCall.objects.count() == 3
    assert set(ApiSend.objects.values_list("key", flat=True)) == {"done-1", "failed-1", "waiting-1"}


def test_mentions_go_when_no_list_shows_them(acme: Company, agent: User, admin: User) -> None:
    ticket = make_ticket(acme)
    for days in (91, 89, 1):
        note = TicketActivity.objects.create(
            ticket=ticket, kind=TicketActivityKind.NOTED, actor=admin, detail={"note": f"{days} d"}
        )
        at = timezone.now() - timedelta(days=days)
        NoteMention.objects.create(
            company=acme, user=agent, ticket=ticket, note=note, created_at=at
        )
    assert purge_finished(before=timezone.now() - timedelta(days=30)) == 1
    kept = NoteMention.objects.order_by("pk").values_list("note__detail__note", flat=True)
    assert list(kept) == ["89 d", "1 d"]


def test_old_runs_of_rules_go_and_what_keeps_a_moment_from_starting_again_stays(
    acme: Company, connection: Connection
) -> None:
    live, closed = (
        make_ticket(acme, connection=connection, status=status) for status in ("open", "closed")
    )
    for days in (40, 1):
        at = timezone.now() - timedelta(days=days)
        for ticket, anchor in ((live, ""), (live, "word"), (closed, "word")):
            RuleRun.objects.create(company=acme, ticket=ticket, anchor=anchor, at=at)
    purge_finished(before=timezone.now() - timedelta(days=30))
    kept = RuleRun.objects.order_by("pk").values_list("ticket", "anchor")
    assert list(kept) == [(live.pk, "word"), (live.pk, ""), (live.pk, "word"), (closed.pk, "word")]
