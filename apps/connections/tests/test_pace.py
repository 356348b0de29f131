"""How fast a connection sends, and how many people a young number begins to write to."""

import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connections
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, SendPace
from apps.connections.services.pace import (
    Slot,
    admit_new_contact,
    ceiling_on,
    latest_open_slot,
    take_slot,
)
from conftest import ClientFor
from tests.factories import make_connection
from tests.gateway import make_qr_connection
from tests.lengths import cases

pytestmark = pytest.mark.django_db
# The same examples in each run, however long a busy machine takes for one.
SAME = settings(max_examples=cases(100), deadline=None, derandomize=True, database=None)
NOON = datetime(2026, 5, 4, 15, tzinfo=UTC)  # 12:00 in São Paulo


@pytest.fixture
def qr(acme: Company) -> Connection:
    pace = {"send_pause_seconds": 2, "send_jitter_seconds": 3}
    warmup = {"warmup_contacts": 2, "warmup_growth": 1, "warmup_days": 3}
    return make_qr_connection(acme, number="5511988887777", **pace, **warmup)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def take(
    connection: Connection, seconds: float, jitter: float = 0.0, *, is_person: bool = False
) -> Slot | None:
    """Take a slot so many seconds after noon; `jitter` is a part of the longest, 0 to 1."""
    return take_slot(
        connection,
        is_person=is_person,
        at=after(seconds),
        jitter=lambda least, most: least + (most - least) * jitter,
    )


def test_the_next_send_waits_for_the_pause_and_its_jitter(qr: Connection) -> None:
    assert take(qr, 0, 0.5) == Slot(0, (2.0, 3.5))
    assert take(qr, 3.3) is None
    assert take(qr, 3.5, 1.0) == Slot(0, (2.0, 5.0))
    assert take(qr, 8.3) is None
    assert take(qr, 8.5) == Slot(0, (2.0,))


def test_a_slot_that_is_all_but_there_is_waited_for(qr: Connection) -> None:
    take(qr, 0)
    assert take(qr, 1.95) == Slot(0.05, (2.0,))
    assert take(qr, 3.85) is None  # the pause begins with the send, not with the taking
    assert take(qr, 4) == Slot(0, (2.0,))


def test_a_person_waits_for_the_least_pause_alone(qr: Connection) -> None:
    take(qr, 0, 1.0)
    assert take(qr, 1.8, is_person=True) is None
    assert take(qr, 2, 1.0) is None
    assert take(qr, 2, 1.0, is_person=True) == Slot(0, (2.0, 5.0))
    assert take(qr, 5, 1.0) is None  # what others had waited for begins anew
    assert take(qr, 7, 1.0) == Slot(0, (2.0, 5.0))


def test_without_a_pace_nothing_is_waited_for_or_stored(acme: Company) -> None:
    for line in (make_connection(acme), make_qr_connection(acme)):
        assert [take(line, 0), take(line, 0)] == [Slot(0), Slot(0)]
    assert not SendPace.objects.exists()


def test_connections_do_not_wait_for_each_other(acme: Company, qr: Connection) -> None:
    other = make_qr_connection(acme, send_pause_seconds=5)
    assert take(qr, 0) and take(other, 0)
    assert take(qr, 2) and take(other, 2) is None


@SAME
@given(
    rate=st.integers(1, 1000),
    steps=st.lists(st.floats(0, 0.3), min_size=30, max_size=60),
)
def test_an_official_number_sends_no_more_in_any_second_than_it_may(
    rate: int, steps: list[float]
) -> None:
    company = Company.objects.first() or _company()
    line = make_connection(company, sends_per_second=rate)
    at, starts = 0.0, []
    for step in steps:
        at += step / rate
        while slot := take(line, at):
            starts.append(at + slot.wait)
            if len(starts) > 400:
                break
    starts.sort()
    for place, start in enumerate(starts):
        assert sum(start <= each < start + 0.999 for each in starts[place:]) <= rate
    line.delete()


def _company() -> Company:
    from tests.factories import make_company

    return make_company()


@SAME
@given(
    pause=st.integers(0, 5),
    jitter=st.integers(0, 5),
    asked=st.lists(
        st.tuples(st.floats(0, 3), st.floats(0, 1), st.booleans()), min_size=1, max_size=25
    ),
)
def test_two_sends_are_never_closer_than_the_pause_nor_farther_than_the_jitter(
    pause: int, jitter: int, asked: list[tuple[float, float, bool]]
) -> None:
    company = Company.objects.first() or _company()
    line = make_qr_connection(company, send_pause_seconds=pause, send_jitter_seconds=jitter)
    at = 0.0
    starts: list[float] = []
    for step, part, is_person in asked:
        at += step
        slot = take(line, at, part, is_person=is_person)
        if slot is None:
            assert starts and at < starts[-1] + pause + (0 if is_person else jitter)
        else:
            starts.append(at + slot.wait)
    assert all(later - earlier > pause - 0.001 for earlier, later in pairwise(starts))
    line.delete()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_has_the_slot(qr: Connection) -> None:
    barrier, taken = threading.Barrier(8), []

    def work() -> None:
        barrier.wait()
        taken.append(take(qr, 0))
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(slot is not None for slot in taken) == 1


@pytest.mark.parametrize(
    ("day", "ceiling"), [(0, 30), (1, 30), (2, 50), (13, 270), (14, 290), (15, None), (400, None)]
)
def test_the_ceiling_grows_until_there_is_none(day: int, ceiling: int | None) -> None:
    assert ceiling_on(day, first=30, growth=20, days=14) == ceiling
    assert ceiling_on(day, first=0, growth=20, days=14) is None


def test_a_young_number_begins_with_a_few_people_a_day(qr: Connection) -> None:
    midnight = datetime(2026, 5, 5, 3, tzinfo=UTC)  # of the company's zone
    days = [NOON + timedelta(days=day) for day in range(4)]

    def admitted(at: datetime) -> list[int]:
        return [each for each in range(1, 10) if admit_new_contact(qr, each, at=at) is None]

    assert admitted(days[0]) == [1, 2]
    assert admit_new_contact(qr, 3, at=days[0]) == midnight
    assert admit_new_contact(qr, 3, at=midnight - timedelta(seconds=1)) == midnight
    assert admitted(days[0]) == [1, 2]  # who was counted is counted once
    assert admitted(midnight) == [1, 2, 3]
    assert admitted(days[2]) == [1, 2, 3, 4]
    assert admitted(days[3]) == list(range(1, 10))


def test_another_number_on_the_connection_begins_anew(qr: Connection) -> None:
    later = NOON + timedelta(days=30)
    assert admit_new_contact(qr, 1, at=NOON) is None
    assert all(admit_new_contact(qr, each, at=later) is None for each in range(10))
    qr.number = ""  # not known for a while
    assert admit_new_contact(qr, 10, at=later) is None
    qr.number = "5511977776666"
    assert [each for each in range(4) if admit_new_contact(qr, each, at=later)] == [2, 3]


def put(client_for: ClientFor, admin: User, line: Connection, **change: Any) -> Any:
    return client_for(admin).put(f"/api/whatsapp/{line.pk}", change, format="json")


def test_the_pace_is_set_in_the_dialog(client_for: ClientFor, admin: User, qr: Connection) -> None:
    change = {
        "sendPauseSeconds": 0,
        "sendJitterSeconds": 300,
        "sendsPerSecond": 20,
        "warmupContacts": 5,
        "warmupGrowth": 0,
        "warmupDays": 90,
    }
    take_slot(qr, is_person=False)
    answer = put(client_for, admin, qr, **change)
    assert answer.status_code == 200
    assert {key: answer.json()[key] for key in change} == change
    assert SendPace.objects.get().others_from < latest_open_slot()  # what changed counts at once


def test_todays_count_is_shown_and_follows_the_dialog(
    client_for: ClientFor, admin: User, qr: Connection
) -> None:
    def shown() -> tuple[int, int | None]:
        (row,) = client_for(admin).get("/api/whatsapp").json()
        assert client_for(admin).get(f"/api/whatsapp/{qr.pk}").json() == row
        return row["newContactsToday"], row["newContactsCeiling"]

    assert shown() == (0, None)
    for each in range(3):
        admit_new_contact(qr, each)
    assert shown() == (2, 2)
    put(client_for, admin, qr, warmupContacts=7)
    assert shown() == (2, 7)
    put(client_for, admin, qr, warmupContacts=0)
    assert shown() == (0, None)
    SendPace.objects.update(day_ends_at=NOON)
    put(client_for, admin, qr, name="Outra")
    assert shown() == (0, None)
