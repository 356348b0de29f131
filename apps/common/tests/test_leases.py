"""The verbs of leased rows, tried on the outbox and on inbound events."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError
from django.utils import timezone

from apps.common import leases
from apps.common.conditions import Condition
from apps.common.leases import (
    LeasedWork,
    LeaseState,
    free_all_claims,
    free_claims_of,
    retry_delay,
)
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent

WORK = LeasedWork(
    model=InboundEvent, lease_setting="INBOUND_LEASE_SECONDS", partition=("connection_id",)
)


@pytest.fixture
def rows(connection: Connection) -> list[InboundEvent]:
    return [
        InboundEvent.objects.create(
            connection=connection, event_id=str(number), kind="x", partition="", payload={}
        )
        for number in range(3)
    ]


def states() -> list[str]:
    return list(InboundEvent.objects.order_by("pk").values_list("state", flat=True))


def test_rows_of_a_partition_are_one_claim_in_order(rows: list[InboundEvent]) -> None:
    claim = WORK.claim(2)
    assert claim.ids == [rows[0].pk, rows[1].pk]
    assert [row.attempts for row in claim.rows()] == [1, 1]
    assert WORK.claim(2).ids == []  # the third waits for the first two
    assert claim.finish(rows[0]) == 1
    assert claim.retry_later(rows[1], timezone.now() + timedelta(minutes=1), "later")
    assert WORK.claim(2).ids == []
    assert states() == ["done", "waiting", "waiting"]


def test_what_was_not_tried_is_given_back_uncounted(rows: list[InboundEvent]) -> None:
    claim = WORK.claim(3)
    claim.release(rows[1])
    assert list(InboundEvent.objects.order_by("pk").values_list("attempts", flat=True)) == [1, 0, 1]
    assert states() == ["claimed", "waiting", "claimed"]


def test_a_claim_that_was_taken_over_changes_nothing(rows: list[InboundEvent]) -> None:
    claim = WORK.claim(1)
    InboundEvent.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    second = WORK.claim(1)
    assert second.ids == claim.ids
    assert claim.finish(rows[0]) == 0
    assert not claim.fail(rows[0], "no")
    assert not claim.retry_later(rows[0], timezone.now(), "no")
    assert claim.release() == 0
    assert second.finish(rows[0]) == 1


def test_holding_counts_the_try_and_asks_once_more(rows: list[InboundEvent]) -> None:
    work = LeasedWork(model=InboundEvent, lease_setting="INBOUND_LEASE_SECONDS", counts=False)
    claim = work.claim(1)
    row = claim.rows().get()
    assert not claim.hold(row, Condition.of("work.kind = %(kind)s", kind="another"))
    assert claim.hold(row)
    assert (row.attempts, states()[0]) == (1, "sending")
    assert not claim.hold(row)
    assert claim.release() == 0  # its outcome is unknown: it is not given back
    assert claim.fail(row, "refused")
    assert states()[0] == "failed"


def test_a_condition_takes_values_and_querysets(
    rows: list[InboundEvent], connection: Connection
) -> None:
    work = LeasedWork(
        model=InboundEvent,
        lease_setting="INBOUND_LEASE_SECONDS",
        only="work.kind = %(kind)s AND work.connection_id IN (%(lines)s)",
    )
    named = Connection.objects.filter(name=connection.name, pk__gt=0).values("pk")
    assert work.claim(5, kind="x", lines=named.none()).ids == []
    assert work.claim(5, kind="y", lines=named).ids == []
    assert work.claim(5, kind="x", lines=named).ids == [row.pk for row in rows]


def test_what_a_fault_leaves_is_free_at_once_and_counted(rows: list[InboundEvent]) -> None:
    with pytest.raises(ValueError), WORK.claimed(3) as claim:
        claim.finish(rows[0])
        raise ValueError
    assert states() == ["done", "waiting", "waiting"]
    assert InboundEvent.objects.get(pk=rows[1].pk).attempts == 1


def test_what_a_database_that_is_away_leaves_is_free_once_it_is_back(
    rows: list[InboundEvent],
) -> None:
    with (
        pytest.raises(OperationalError),
        mock.patch.object(leases.LeasedQuerySet, "release", side_effect=OperationalError),
        WORK.claimed(3),
    ):
        raise OperationalError
    assert states() == ["claimed"] * 3
    with WORK.claimed(3) as claim:
        assert len(claim.ids) == 3
    assert not leases._forgotten


def test_a_dead_workers_rows_are_free_and_what_it_was_sending_is_unknown(
    rows: list[InboundEvent], settings: Any
) -> None:
    held = {"lease_expires_at": timezone.now() + timedelta(minutes=5)}
    InboundEvent.objects.filter(pk=rows[0].pk).update(state="claimed", owner="dead#1", **held)
    InboundEvent.objects.filter(pk=rows[1].pk).update(state="sending", owner="dead#2", **held)
    InboundEvent.objects.filter(pk=rows[2].pk).update(state="claimed", owner="dead2#1", **held)
    assert free_claims_of("dead") == 2
    assert states() == ["waiting", "unknown", "claimed"]
    unknown = InboundEvent.objects.get(pk=rows[1].pk)
    wait = timedelta(seconds=settings.DELIVERY_SETTLE_SECONDS)
    assert timezone.now() < unknown.next_attempt_at <= timezone.now() + wait
    assert free_all_claims() == 1
    assert states() == ["waiting", "unknown", "waiting"]


def test_parked_rows_start_over(rows: list[InboundEvent]) -> None:
    claim = WORK.claim(1)
    claim.fail(rows[0], "a\x00b", attempts=8)
    assert InboundEvent.objects.get(pk=rows[0].pk).last_error == "ab"
    assert InboundEvent.objects.filter(state=LeaseState.FAILED).start_over(timezone.now()) == 1
    row = InboundEvent.objects.get(pk=rows[0].pk)
    assert (row.state, row.attempts, row.finished_at, row.is_held) == ("waiting", 0, None, False)


def test_what_is_tried_until_it_succeeds_counts_failures_up_to_a_bound(
    rows: list[InboundEvent],
) -> None:
    """So that only deaths of the worker reach the number at which a row is put off."""
    InboundEvent.objects.filter(pk=rows[0].pk).update(attempts=leases.COUNTED_FAILURES + 4)
    claim = WORK.claim(1)
    [row] = claim.rows()
    before = timezone.now()
    assert claim.try_again(row, "não foi", first=20.0, longest=60.0)
    row.refresh_from_db()
    assert (row.state, row.last_error) == ("waiting", "não foi")
    assert row.attempts == leases.COUNTED_FAILURES
    wait = row.next_attempt_at - before
    assert timedelta(seconds=30) <= wait <= timedelta(seconds=61)
    assert not claim.try_again(row, "nicht mehr")


def test_pauses_between_tries_double_up_to_five_minutes() -> None:
    assert 1 <= retry_delay(1) <= 2
    assert 4 <= retry_delay(3) <= 8
    assert 150 <= retry_delay(50) <= 300
    assert 150 <= retry_delay(5000) <= 300
