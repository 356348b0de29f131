"""Presence: chosen, ended by the clock, and by closed browsers (rules/desk §5)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.desk.decisions.assignment import Presence
from apps.desk.models import AssignmentPolicy, PauseReason, PresencePeriod, Seat, Tick
from apps.desk.services import presence
from apps.desk.services.presence import browsers_came, browsers_stay, browsers_went
from apps.desk.tests.conftest import Arrive, Sit, make_due, work
from conftest import ClientFor

pytestmark = pytest.mark.django_db
OWN = "/api/presence/me"


def timeline(user: User) -> list[tuple[str, str]]:
    periods = PresencePeriod.objects.filter(user=user)
    return list(periods.values_list("presence", "reason"))


def test_who_opens_a_browser_is_online_and_gets_what_waits(
    policy: AssignmentPolicy, agent: User, arrive: Arrive, events: list[dict[str, Any]]
) -> None:
    ticket = arrive()
    work()
    browsers_came([(agent.company_id, agent.pk)])
    work()
    ticket.refresh_from_db()
    assert ticket.user == agent
    told = [each for each in events if each["event"] == "presence"]
    assert [each["payload"]["presence"]["presence"] for each in told] == ["online"]
    assert timeline(agent) == [("online", "")]


def test_a_closed_browser_gets_nothing_and_is_offline_after_the_grace(
    policy: AssignmentPolicy, agent: User, arrive: Arrive
) -> None:
    ids = [(agent.company_id, agent.pk)]
    browsers_came(ids)
    browsers_went(ids)
    ticket = arrive()
    work()
    ticket.refresh_from_db()
    assert ticket.user is None
    assert Seat.objects.get().presence == Presence.ONLINE
    Seat.objects.update(seen_until=timezone.now() - timedelta(minutes=6))
    make_due()
    work()
    seat = Seat.objects.get()
    assert (seat.presence, seat.is_away) == (Presence.OFFLINE, True)
    browsers_came(ids)
    assert Seat.objects.get().presence == Presence.ONLINE
    assert [name for name, _ in timeline(agent)] == ["online", "offline", "online"]


def test_a_process_that_dies_is_noticed_by_its_silence(
    policy: AssignmentPolicy, agent: User
) -> None:
    browsers_came([(agent.company_id, agent.pk)])
    browsers_stay([(agent.company_id, agent.pk)])
    # It is looked for whatever happens, and looked for again while it is heard of.
    make_due()
    work()
    seat = Seat.objects.get()
    assert seat.presence == Presence.ONLINE
    assert seat.seen_until is not None
    assert Tick.objects.get(kind="seen").next_attempt_at > seat.seen_until


def test_one_who_can_not_be_taken_in_keeps_back_nobody(
    policy: AssignmentPolicy, agent: User, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = presence.locked_seat

    def fail(*, company_id: int, user_id: int) -> Seat:
        if user_id == agent.pk:
            raise OperationalError
        return seated(company_id=company_id, user_id=user_id)

    people = [(agent.company_id, agent.pk), (agent.company_id, colleague.pk)]
    with monkeypatch.context() as patched:
        patched.setattr(presence, "locked_seat", fail)
        browsers_came(people)
    assert list(Seat.objects.values_list("user", flat=True)) == [colleague.pk]
    browsers_stay(people)
    assert Seat.objects.filter(presence=Presence.ONLINE).count() == 2


def test_browsers_that_were_open_before_the_switch_are_found(
    policy: AssignmentPolicy, agent: User
) -> None:
    browsers_stay([(agent.company_id, agent.pk)])
    assert Seat.objects.get().presence == Presence.ONLINE


def test_who_chose_to_be_offline_stays_so(
    policy: AssignmentPolicy, agent: User, client_for: ClientFor
) -> None:
    browsers_came([(agent.company_id, agent.pk)])
    assert client_for(agent).put(OWN, {"presence": "offline"}, format="json").status_code == 200
    browsers_went([(agent.company_id, agent.pk)])
    browsers_came([(agent.company_id, agent.pk)])
    assert Seat.objects.get().presence == Presence.OFFLINE


def test_a_pause_has_its_reason_and_ends(
    policy: AssignmentPolicy, acme: Company, agent: User, sit: Sit, client_for: ClientFor
) -> None:
    lunch = PauseReason.objects.create(company=acme, name="Almoço", minutes=60)
    sit(agent)
    body = {"presence": "paused", "reasonId": lunch.pk, "minutes": 60}
    answer = client_for(agent).put(OWN, body, format="json")
    assert answer.status_code == 200
    assert (answer.json()["presence"], answer.json()["reason"]) == ("paused", "Almoço")
    lunch.delete()
    Seat.objects.update(until=timezone.now() - timedelta(seconds=1))
    make_due()
    work()
    assert Seat.objects.get().presence == Presence.ONLINE
    assert timeline(agent) == [("paused", "Almoço"), ("online", "")]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"presence": "paused", "minutes": 5}, "reasonId"),
        ({"presence": "paused", "reasonId": 999_999, "minutes": 5}, "reasonId"),
        ({"presence": "paused", "reasonId": "{reason}"}, "minutes"),
        ({"presence": "paused", "reasonId": "{reason}", "minutes": 0}, "minutes"),
        ({"presence": "paused", "reasonId": "{reason}", "minutes": 1441}, "minutes"),
        ({"presence": "online", "minutes": 5}, "presence"),
        ({"presence": "asleep"}, "presence"),
    ],
)
def test_a_wrong_choice_is_refused_and_changes_nothing(
    policy: AssignmentPolicy,
    acme: Company,
    agent: User,
    sit: Sit,
    client_for: ClientFor,
    body: dict[str, Any],
    field: str,
) -> None:
    reason = PauseReason.objects.create(company=acme, name="Almoço")
    sit(agent)
    asked = {key: reason.pk if value == "{reason}" else value for key, value in body.items()}
    answer = client_for(agent).put(OWN, asked, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert Seat.objects.get().presence == Presence.ONLINE
    assert timeline(agent) == []


def test_a_supervisor_sets_the_presence_of_others_and_reads_their_day(
    policy: AssignmentPolicy, admin: User, agent: User, sit: Sit, client_for: ClientFor
) -> None:
    sit(agent)
    client = client_for(admin)
    address = f"/api/presence/{agent.pk}"
    assert client.put(address, {"presence": "offline"}, format="json").status_code == 200
    answer = client.get(f"/api/presence/timeline?userId={agent.pk}")
    assert [each["presence"] for each in answer.json()] == ["offline"]
    assert answer.json()[0]["endedAt"] is None
    listed = client_for(agent).get("/api/presence").json()
    assert [each["userId"] for each in listed] == [agent.pk]
    assert client.get("/api/presence/timeline?userId=999999").status_code == 404
    for day in ("9999-12-31", "0001-01-01", "ontem"):
        wrong = client.get(f"/api/presence/timeline?userId={agent.pk}&date={day}")
        assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["date"])


def test_who_is_set_to_online_without_ever_opening_a_browser_is_offline_after_the_grace(
    policy: AssignmentPolicy, admin: User, agent: User, client_for: ClientFor
) -> None:
    address = f"/api/presence/{agent.pk}"
    answer = client_for(admin).put(address, {"presence": "online"}, format="json")
    assert answer.status_code == 200
    Seat.objects.update(since=timezone.now() - timedelta(minutes=6))
    make_due()
    work()
    assert Seat.objects.get().presence == Presence.OFFLINE


def test_reasons_are_unique_whatever_their_case(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    client = client_for(admin)
    made = client.post("/api/pause-reasons", {"name": "Café", "minutes": 10}, format="json")
    assert made.status_code == 201
    again = client.post("/api/pause-reasons", {"name": "café", "minutes": 5}, format="json")
    assert (again.status_code, again.json()["code"]) == (400, "ERR_PAUSE_REASON_EXISTS")
    address = f"/api/pause-reasons/{made.json()['id']}"
    assert (
        client.put(address, {"name": "CAFÉ", "minutes": 12}, format="json").json()["minutes"] == 12
    )
    assert client.delete(address).status_code == 200
    assert client.get("/api/pause-reasons").json() == []
