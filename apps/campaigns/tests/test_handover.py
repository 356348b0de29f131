"""Recipients handed over together: in few statements, each exactly once (rules/campaigns §4)."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.campaigns.models import OptOut
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import (
    people_of,
    provider_takes_all,
    reread,
    run_through,
    settings,
    states,
    work,
)
from apps.common.renderers import to_json
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Delivery, Message, Ticket
from apps.tickets.serializers import message_rows_of, ticket_rows_of
from apps.tickets.services.outbox import Draft, hold_back, write_drafts
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.events import Listeners, Told
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_those_due_together_cost_few_queries(
    clock: Clock, acme: Company, qr: Connection, at_once: None
) -> None:
    counted = []
    for count in (18, 5, 15):  # all are known from the first on
        make_campaign(acme, connection=qr, contact_list=people_of(acme, count))
        work()
        with CaptureQueriesContext(database) as captured:
            work()
        counted.append(len(captured))
        assert provider_takes_all() == count
        work()
    assert counted[1] == counted[2] < 45


def test_browsers_hear_of_what_is_handed_over_as_it_is_read(
    clock: Clock, due: Make, at_once: None, listeners: Listeners
) -> None:
    heard: list[Told] = []
    listeners.append(lambda each: heard.append(each) if each.event == "appMessage" else None)
    due()
    work()
    work()
    messages = [each.payload["message"] for each in heard]
    tickets = [each.payload["ticket"] for each in heard]
    assert len(messages) == 3
    assert _read(messages) == _read(message_rows_of([row["id"] for row in messages]))
    assert _read(tickets) == _read(ticket_rows_of([row["id"] for row in tickets]))


def _read(rows: list[dict[str, Any]]) -> Any:
    """Return rows as a browser reads them, in one order."""
    return sorted(orjson.loads(to_json(rows)), key=lambda row: int(row["id"]))


def test_one_who_may_not_be_written_to_holds_up_none_of_those_due_with_it(
    clock: Clock, acme: Company, due: Make, at_once: None
) -> None:
    campaign = due()
    work()
    # It left after the start.
    OptOut.objects.create(company=acme, canonical_number="5511984321101")
    work()
    assert states(campaign) == ["queued", "skipped", "queued"]
    assert Ticket.objects.count() == 2
    assert reread(campaign).steps_count == 2


def test_no_pause_is_passed_over_by_those_due_together(
    clock: Clock, acme: Company, qr: Connection
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=15, greaterInterval=60)
    campaign = make_campaign(acme, connection=qr, contact_list=people_of(acme, 40))
    work()
    queued = []
    for _ in range(3):
        work()
        queued.append(Counter(states(campaign))["queued"])
        clock.pass_time(seconds=60)
    assert queued == [15, 30, 40]


def test_a_worker_that_dies_at_any_moment_neither_loses_nor_repeats(
    clock: Clock, acme: Company, due: Make, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = due(contact_list=people_of(acme, 4))
    work()
    written, calls = write_drafts, []

    def dying(drafts: Sequence[Draft], **also: Any) -> list[Message]:
        messages = written(drafts, **also)
        calls.append(messages)
        if len(calls) == 2:
            raise KeyboardInterrupt  # no worker survives that
        return messages

    monkeypatch.setattr("apps.campaigns.services.sending.BATCH", 2)
    monkeypatch.setattr("apps.campaigns.services.handover.write_drafts", dying)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert states(campaign) == ["queued", "queued", "pending", "pending"]
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 4
    assert Message.objects.count() == 4


def test_all_that_waits_is_taken_back_in_few_statements(
    clock: Clock, admin: User, acme: Company, due: Make, at_once: None
) -> None:
    counted = []
    for count in (4, 12):
        campaign = due(contact_list=people_of(acme, count))
        work()
        work()
        with CaptureQueriesContext(database) as captured:
            cancel_campaign(user=admin, campaign_id=campaign.pk)
        assert states(campaign) == ["pending"] * count
        counted.append(len(captured))
    assert counted[0] == counted[1]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_is_taken_back_is_kept_from_the_workers_meanwhile(
    clock: Clock, due: Make, at_once: None
) -> None:
    due()
    work()
    work()

    def send() -> int:
        try:
            return deliver_due(limit=10)
        finally:
            database.close()

    messages = set(Message.objects.values_list("pk", flat=True))
    with ThreadPoolExecutor(1) as worker, transaction.atomic():
        assert hold_back(messages) == messages
        assert worker.submit(send).result(60) == 0
    assert Delivery.objects.filter(state="waiting", attempts=0).count() == 3
