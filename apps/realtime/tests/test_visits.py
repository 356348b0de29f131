"""Who views a record, as Redis keeps it for all processes (rules/realtime §5)."""

import itertools
from datetime import datetime

import pytest

from apps.realtime import visits
from apps.realtime.sockets import Client
from apps.realtime.visits import MOST_VIEWED, View, Visits, is_viewed_beside, keep

pytestmark = pytest.mark.django_db
_subjects = itertools.count(1_000_001)


@pytest.fixture
def subject() -> int:
    return next(_subjects)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000_000.0]
    monkeypatch.setattr("apps.realtime.visits.time.time", lambda: now[0])
    return now


def viewers(subject: int, changes: list[visits.Change]) -> list[list[int]]:
    assert all(change.subject == subject for change in changes)
    return [change.user_ids for change in changes]


def test_one_who_is_alone_is_told_nothing(subject: int) -> None:
    alone = View(subject, 1, "a")
    assert keep(arrived=[alone]) == []
    assert keep(staying=[alone]) == []
    assert keep(gone=[alone]) == []


def test_an_arrival_is_told_also_when_the_same_user_left_meanwhile(subject: int) -> None:
    keep(arrived=[View(subject, 1, "a"), View(subject, 2, "b")])
    back = keep(arrived=[View(subject, 1, "c")], gone=[View(subject, 1, "a")])
    assert viewers(subject, back) == [[1, 2]]
    assert keep(gone=[View(subject, 9, "nobody")]) == []


def test_the_views_of_a_process_that_died_end_by_themselves(
    subject: int, clock: list[float]
) -> None:
    own, dead = View(subject, 1, "a"), View(subject, 2, "b")
    assert viewers(subject, keep(arrived=[own, dead])) == [[1, 2]]
    clock[0] += visits.RENEW_SECONDS
    assert keep(staying=[own]) == []
    clock[0] += visits.KEPT_SECONDS - 1
    assert viewers(subject, keep(staying=[own])) == [[1]]
    assert keep(staying=[own]) == []


class Someone:
    pk, company_id, only_pays = 7, 1, False
    hears: frozenset[str] | None = None
    sees_full_numbers = True
    event_permissions: frozenset[str] = frozenset()
    token_id: int | None = None
    ends_at: datetime | None = None


def test_a_socket_views_the_records_that_it_joined_last() -> None:
    noted = Visits()
    noted.subject_of = int
    client = Client(Someone())
    for room in range(10):
        client.wishes["join", str(room)] = frozenset({str(room)})
    noted.note("a", client)
    assert {view.subject for view in noted._views["a"]} == set(range(10 - MOST_VIEWED, 10))
    noted.forget("a")
    assert noted._views == {}


def test_who_may_only_pay_views_nothing() -> None:
    noted = Visits()
    noted.subject_of = int
    payer = Someone()
    payer.only_pays = True
    client = Client(payer)
    client.wishes["join", "1"] = frozenset({"1"})
    noted.note("a", client)
    assert noted._views == {}


def test_whether_another_user_views_it(subject: int, clock: list[float]) -> None:
    assert not is_viewed_beside(1, subject)
    keep(arrived=[View(subject, 1, "a"), View(subject, 1, "b")])
    assert not is_viewed_beside(1, subject)
    keep(arrived=[View(subject, 2, "c")])
    assert is_viewed_beside(1, subject)
    # No process renewed it.
    clock[0] += 60
    assert not is_viewed_beside(1, subject)
