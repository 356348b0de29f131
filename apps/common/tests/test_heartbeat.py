from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings as project
from django.db import DatabaseError
from django.db import connection as database
from django.db.models.functions import Now
from django.utils import timezone

from apps.common import heartbeat
from apps.common.leases import worker_name
from apps.common.models import Heartbeat
from apps.common.registry import Hook
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent


@pytest.fixture
def row(connection: Connection) -> InboundEvent:
    return InboundEvent.objects.create(
        connection=connection,
        event_id="1",
        kind="x",
        partition="",
        payload={},
        state="claimed",
        owner="other:1#abc",
        lease_expires_at=timezone.now() + timedelta(minutes=10),
    )


@pytest.fixture(autouse=True)
def died(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    """Hears of dead processes, in place of those who would tell browsers."""
    heard, hook = mock.Mock(), Hook[[]]()
    hook.register(heard)
    monkeypatch.setattr(heartbeat, "process_died", hook)
    return heard


def silent_for(seconds: float) -> None:
    Heartbeat.objects.update_or_create(
        worker="other:1", defaults={"beaten_at": Now() - timedelta(seconds=seconds)}
    )


def test_a_worker_beats_in_one_row(db: None) -> None:
    heartbeat.beat()
    heartbeat.beat()
    assert Heartbeat.objects.get().worker == worker_name()


def test_rows_of_a_silent_worker_are_free_within_seconds(
    row: InboundEvent, died: mock.Mock
) -> None:
    silent_for(heartbeat.DEAD_SECONDS - 2)
    assert heartbeat.free_dead_workers() == 0
    assert died.call_count == 0
    silent_for(heartbeat.DEAD_SECONDS + 0.1)
    assert heartbeat.free_dead_workers() == 1
    row.refresh_from_db()
    assert (row.state, row.owner) == ("waiting", "")
    assert not Heartbeat.objects.exists()
    assert died.call_count == 1


def test_nobody_takes_a_process_for_dead_that_ended_in_order(db: None, died: mock.Mock) -> None:
    heartbeat.beat()
    heartbeat.end_in_order()
    assert heartbeat.free_dead_workers() == 0
    assert died.call_count == 0


def test_the_only_worker_knows_whether_the_one_before_it_died(
    row: InboundEvent, died: mock.Mock
) -> None:
    heartbeat.begin_alone()
    row.refresh_from_db()
    assert (row.state, died.call_count) == ("waiting", 0)
    heartbeat.begin_alone()
    assert died.call_count == 1
    heartbeat.end_in_order()
    heartbeat.begin_alone()
    assert died.call_count == 1


def test_who_was_cut_off_judges_nobody_until_it_is_steady(row: InboundEvent) -> None:
    silent_for(60)
    thread = heartbeat.HeartbeatThread()
    for _ in range(heartbeat.STEADY_BEATS - 1):
        thread._turn()
    thread._steady = 0  # as after a beat that failed
    for _ in range(heartbeat.STEADY_BEATS - 1):
        thread._turn()
    assert Heartbeat.objects.filter(worker="other:1").exists()
    thread._turn()
    assert not Heartbeat.objects.filter(worker="other:1").exists()


class Ended(Exception):
    """Ends a thread's loop at its first pause."""


@pytest.mark.parametrize("fault", [DatabaseError, MemoryError])
def test_a_beat_that_fails_begins_the_count_anew(fault: type[Exception]) -> None:
    thread = heartbeat.HeartbeatThread()
    thread._steady = 5
    with (
        mock.patch.object(heartbeat, "beat", side_effect=fault),
        mock.patch("django.db.connection.close"),
        mock.patch("threading.Event.wait", side_effect=Ended),
        pytest.raises(Ended),
    ):
        thread.run()
    assert thread._steady == 0


def test_a_beat_that_hung_counts_as_none(db: None) -> None:
    thread = heartbeat.HeartbeatThread()
    thread._steady = 5
    thread._last -= heartbeat.DEAD_SECONDS + 1
    thread._turn()
    assert thread._steady == 0


@pytest.mark.parametrize("fault", [None, DatabaseError])
def test_a_probe_sees_a_worker_that_waits_for_its_database(
    db: None, tmp_path: Path, settings: Any, fault: type[Exception] | None
) -> None:
    settings.ALIVE_FILE = str(tmp_path / "alive")
    with (
        mock.patch.object(heartbeat, "beat", side_effect=fault),
        mock.patch("django.db.connection.close"),
        mock.patch("threading.Event.wait", side_effect=Ended),
        pytest.raises(Ended),
    ):
        heartbeat.HeartbeatThread().run()
    assert (tmp_path / "alive").exists()


def test_the_clusters_scaler_counts_what_waits(row: InboundEvent) -> None:
    files = sorted((project.BASE_DIR / "deploy" / "helm" / "files").glob("*-depth.sql"))
    InboundEvent.objects.update(next_attempt_at=Now() - timedelta(seconds=1))
    counts = {}
    for each in files:
        with database.cursor() as cursor:
            cursor.execute(each.read_text().replace("now()", "CURRENT_TIMESTAMP"))
            [counts[each.name]] = cursor.fetchone()
    assert counts == {"sender-depth.sql": 0, "worker-depth.sql": 1}
