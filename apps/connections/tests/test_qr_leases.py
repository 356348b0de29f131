"""One owner each: who gets which session, for how long, and what becomes of frozen owners."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connections as databases
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import Connection, GatewayProcess, QrSession, SessionWish
from apps.connections.services import qr_leases
from apps.connections.services.qr_leases import (
    DEAD_SECONDS,
    STEADY_BEATS,
    LateCall,
    LeaseCall,
    gateways_seen,
    renew_leases,
    take_beat,
)
from tests.gateway import make_qr_connection

pytestmark = pytest.mark.django_db


class Clock:
    """The database's time, as a test turns it."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(qr_leases, "database_now", lambda: clock.now)
    return clock


def renew(
    name: str,
    held: dict[int, int] | None = None,
    *,
    room: int = 10,
    leaving: bool = False,
    number: int = 0,
) -> dict[str, Any]:
    return renew_leases(
        LeaseCall(
            gateway=name,
            address=f"http://{name}",
            room=room,
            held=held or {},
            is_leaving=leaving,
            number=number,
        )
    )


def claimed(answer: dict[str, Any]) -> dict[int, int]:
    return {each["session"]: each["epoch"] for each in answer["claimed"]}


def test_a_session_has_one_owner_until_its_lease_is_over(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    assert claimed(renew("a")) == {pk: 1}
    assert claimed(renew("b")) == {}
    clock.pass_seconds(29)
    assert [each["session"] for each in renew("a", {pk: 1})["held"]] == [pk]
    clock.pass_seconds(29)
    assert claimed(renew("b")) == {}
    clock.pass_seconds(2)
    assert claimed(renew("b")) == {pk: 2}
    # The frozen one wakes up, and is told.
    late = renew("a", {pk: 1})
    assert (late["held"], late["lost"], late["claimed"]) == ([], [pk], [])


def test_who_leaves_frees_its_sessions_at_once(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    renew("a", {pk: 1}, leaving=True)
    assert claimed(renew("b")) == {pk: 2}
    assert [process.name for process in gateways_seen()] == ["b"]


def test_a_call_that_comes_late_changes_nothing(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    assert claimed(renew("a", number=2)) == {pk: 1}
    # Sent before, and long on its way: it knows of no session.
    for number in (1, 2):
        with pytest.raises(LateCall):
            renew("a", number=number)
    assert [each["session"] for each in renew("a", {pk: 1}, number=3)["held"]] == [pk]
    renew("a", {pk: 1}, leaving=True, number=5)
    with pytest.raises(LateCall):
        renew("a", {pk: 1}, number=4)
    # Another counts for itself.
    assert claimed(renew("b", number=1)) == {pk: 2}


def test_the_sessions_of_a_gateway_without_a_sign_of_life_are_free_at_once(
    acme: Company, clock: Clock
) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    take_beat("a", steady=9)
    clock.pass_seconds(1)
    assert renew("b")["beatSeconds"] == 1
    clock.pass_seconds(DEAD_SECONDS - 1)
    # One that has just begun, or begun again, does not judge.
    assert take_beat("b", steady=STEADY_BEATS - 1) == 0
    assert claimed(renew("b")) == {}
    assert take_beat("b", steady=STEADY_BEATS) == 1
    assert [process.name for process in gateways_seen()] == ["b"]
    assert claimed(renew("b")) == {pk: 2}
    assert renew("a", {pk: 1})["lost"] == [pk]


def test_an_owner_that_was_only_late_keeps_what_nobody_has_claimed(
    acme: Company, clock: Clock
) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    take_beat("a", steady=9)
    clock.pass_seconds(DEAD_SECONDS)
    renew("b", room=0)
    assert take_beat("b", steady=STEADY_BEATS) == 1
    assert [each["session"] for each in renew("a", {pk: 1})["held"]] == [pk]
    assert take_beat("b", steady=STEADY_BEATS) == 0


def test_a_gateway_that_gives_no_signs_of_life_keeps_its_lease(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    clock.pass_seconds(29)
    renew("b")
    assert take_beat("b", steady=STEADY_BEATS) == 0
    assert [each["session"] for each in renew("a", {pk: 1})["held"]] == [pk]


def test_a_gateway_that_beat_long_ago_is_not_dead_when_it_gets_a_session(
    acme: Company, clock: Clock
) -> None:
    renew("a")
    take_beat("a", steady=0)
    clock.pass_seconds(3600)
    make_qr_connection(acme)
    renew("a")
    renew("b")
    assert take_beat("b", steady=STEADY_BEATS) == 0


def test_without_an_owned_session_nobody_beats(acme: Company, clock: Clock) -> None:
    assert renew("a")["beatSeconds"] == 0
    make_qr_connection(acme)
    assert renew("a")["beatSeconds"] == 1


def test_who_left_is_forgotten_a_day_later(acme: Company, clock: Clock) -> None:
    renew("a", leaving=True)
    clock.pass_seconds(25 * 3600)
    renew("b")
    assert [process.name for process in GatewayProcess.objects.all()] == ["b"]


def test_a_gateway_gets_no_more_than_it_has_room_for(acme: Company, clock: Clock) -> None:
    first, second = (make_qr_connection(acme, name=name).pk for name in ("um", "dois"))
    assert claimed(renew("a", room=1)) == {first: 1}
    assert claimed(renew("a", {first: 1}, room=0)) == {}
    assert claimed(renew("b")) == {second: 1}


def test_what_an_owner_does_not_list_it_has_dropped(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    assert claimed(renew("a")) == {pk: 2}
    assert renew("a", {pk: 1})["lost"] == [pk]


def test_sessions_of_a_company_that_does_not_pay_are_dropped(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    Company.objects.filter(pk=acme.pk).update(is_enabled=False)
    answer = renew("a", {pk: 1})
    assert (answer["lost"], answer["stop"], answer["claimed"]) == ([pk], [], [])
    Company.objects.filter(pk=acme.pk).update(is_enabled=True)
    assert claimed(renew("a")) == {pk: 2}


def test_a_deleted_connection_is_logged_out_by_its_owner_and_forgotten(
    acme: Company, clock: Clock
) -> None:
    connection = make_qr_connection(acme)
    pk = connection.pk
    renew("a")
    QrSession.objects.filter(pk=pk).update(wanted=SessionWish.LOGOUT, connection=None)
    assert renew("a", {pk: 1})["stop"] == [{"session": pk, "epoch": 1, "logout": True}]
    renew("a")
    assert not QrSession.objects.exists()


def test_what_was_to_end_under_a_dead_owner_ends(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    renew("a")
    QrSession.objects.filter(pk=pk).update(wanted=SessionWish.LOGOUT, credentials="{}")
    clock.pass_seconds(31)
    assert claimed(renew("b")) == {}
    session = QrSession.objects.get()
    assert (session.gateway, session.credentials) == ("", "")


def test_groups_are_ignored_as_the_company_says(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    (claim,) = renew("a")["claimed"]
    assert claim["settings"]["ignoreGroups"] is True
    acme.settings.create(key="CheckMsgIsGroup", value="disabled")
    (held,) = renew("a", {pk: 1})["held"]
    assert held["settings"]["ignoreGroups"] is False


def test_the_past_is_asked_for_as_the_company_says(acme: Company, clock: Clock) -> None:
    pk = make_qr_connection(acme).pk
    (claim,) = renew("a")["claimed"]
    assert claim["settings"]["syncHistory"] is False
    acme.settings.create(key="importHistory", value="enabled")
    (held,) = renew("a", {pk: 1})["held"]
    assert held["settings"]["syncHistory"] is True


class Model:
    """Gateways with clocks of their own: what each believes to hold, and until when."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.believed: dict[str, dict[int, tuple[int, datetime]]] = {}
        self.newest: dict[int, int] = {}

    def held(self, name: str) -> dict[int, int]:
        own = self.believed.setdefault(name, {})
        return {pk: epoch for pk, (epoch, until) in own.items() if until > self.clock.now}

    def call(self, name: str, *, answered: bool = True, leaving: bool = False) -> None:
        before = self.clock.now
        held = self.held(name)
        answer = renew(name, held, room=2, leaving=leaving)
        if leaving:
            self.believed[name] = {}
            return
        if not answered:
            return
        until = before + timedelta(seconds=answer["leaseSeconds"])
        own = {each["session"]: (each["epoch"], until) for each in answer["held"]}
        for each in answer["claimed"]:
            pk, epoch = each["session"], each["epoch"]
            assert epoch > self.newest.get(pk, 0), "epochs only grow"
            self.newest[pk] = epoch
            own[pk] = (epoch, until)
        self.believed[name] = own

    def check(self) -> None:
        owners: dict[int, list[str]] = {}
        for name in self.believed:
            for pk in self.held(name):
                owners.setdefault(pk, []).append(name)
        assert all(len(names) == 1 for names in owners.values()), owners


@pytest.mark.parametrize("seed", range(6))
def test_no_two_owners_hold_at_once_and_epochs_only_grow(
    acme: Company, clock: Clock, seed: int
) -> None:
    dice = random.Random(seed)
    for number in range(3):
        make_qr_connection(acme, name=f"QR {number}")
    model = Model(clock)
    for _ in range(60):
        name = dice.choice(["a", "b", "c"])
        chance = dice.random()
        # Frozen for a while, cut off from the answer, leaving, or as it should be.
        if chance < 0.3:
            clock.pass_seconds(dice.choice([1, 9, 15, 31]))
        else:
            model.call(name, answered=chance > 0.45, leaving=chance > 0.93)
        model.check()
    assert model.newest


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_gateways_that_call_at_the_same_time_share_without_overlap(acme: Company) -> None:
    connections: list[Connection] = [
        make_qr_connection(acme, name=f"QR {number}") for number in range(12)
    ]

    def ask(name: str) -> dict[int, int]:
        try:
            return claimed(renew(name, room=5))
        finally:
            databases.close_all()

    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(ask, ["a", "b", "c", "d"]))
    taken = [pk for share in shares for pk in share]
    assert len(taken) == len(set(taken))
    assert all(epoch == 1 for share in shares for epoch in share.values())
    for name, share in zip("abcd", shares, strict=True):
        owned = QrSession.objects.filter(gateway=name).values_list("pk", flat=True)
        assert set(owned) == set(share)
    rest = {each.pk for each in connections} - set(taken)
    assert set(claimed(renew("e", room=12))) == rest
