from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.common.sweeps import SweepThread, sweep
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent

NOW = timedelta(seconds=0)
LATER = timedelta(minutes=5)


def make_event(connection: Connection, state: LeaseState, due: timedelta, lease: timedelta) -> None:
    is_held = state in {LeaseState.CLAIMED, LeaseState.SENDING}
    InboundEvent.objects.create(
        connection=connection,
        event_id="1",
        kind="x",
        partition="",
        payload={},
        state=state,
        next_attempt_at=timezone.now() + due,
        owner="other:1#abc" if is_held else "",
        lease_expires_at=timezone.now() + lease if is_held else None,
    )


@pytest.mark.parametrize(
    ("state", "due", "lease"),
    [
        (LeaseState.WAITING, -NOW, NOW),
        (LeaseState.UNKNOWN, -NOW, NOW),
        (LeaseState.CLAIMED, -LATER, -LATER),
        (LeaseState.SENDING, -LATER, -LATER),
    ],
)
def test_what_nobody_woke_a_worker_for_is_found(
    connection: Connection, state: LeaseState, due: timedelta, lease: timedelta
) -> None:
    make_event(connection, state, due, lease)
    assert sweep() == ["inbound.process"]


@pytest.mark.parametrize(
    ("state", "due", "lease"),
    [
        (LeaseState.WAITING, LATER, NOW),
        (LeaseState.UNKNOWN, LATER, NOW),
        (LeaseState.CLAIMED, -LATER, LATER),
        (LeaseState.SENDING, -LATER, LATER),
        (LeaseState.DONE, -LATER, NOW),
        (LeaseState.FAILED, -LATER, NOW),
    ],
)
def test_what_is_not_due_wakes_nobody(
    connection: Connection, state: LeaseState, due: timedelta, lease: timedelta
) -> None:
    make_event(connection, state, due, lease)
    assert sweep() == []


def test_a_sweep_is_one_question(db: None, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        sweep()


def test_sweeps_go_on_after_any_fault(db: None) -> None:
    class Ended(BaseException):
        pass

    faults = [RuntimeError("x"), ["inbound.process"], Ended]
    starter = mock.Mock()
    with (
        mock.patch("apps.common.sweeps.sweep", side_effect=faults) as sweeps,
        mock.patch("time.sleep"),
        pytest.raises(Ended),
    ):
        SweepThread(starter).run()
    assert sweeps.call_count == 3
    starter.start.assert_called_once_with("inbound.process")
