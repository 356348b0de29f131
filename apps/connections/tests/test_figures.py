"""What Meta says of a number's quality, limit and trouble: asked for, and reported."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import NO_LIMIT, NumberFigures
from apps.connections.providers.official.figures import read_limit
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.connections.services import refresh_figures, refresh_old_figures
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.inbound.models import InboundEvent
from apps.inbound.services.processing import process_due
from apps.inbound.services.storing import store_notices
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT = "200000000000777"
SHOWN = {"display_phone_number": "+55 11 98888-7777"}
DEFERRED = {
    "entity_type": "BUSINESS",
    "entity_id": "9",
    "alert_info": {
        "alert_severity": "WARNING",
        "alert_status": "ACTIVE",
        "alert_type": "INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED",
        "alert_description": "Limits cannot be increased for your business.",
    },
}


def report(field: str, value: Any, *, ago: float = 0, at: float | None = None) -> None:
    """Have Meta report something of the account, as its webhook words it."""
    time = int((at or timezone.now().timestamp()) - ago)
    change = {"field": field, "value": value}
    store_notices(notices({"entry": [{"id": ACCOUNT, "time": time, "changes": [change]}]}))
    process_due(limit=10)


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(
        acme, waba_id=ACCOUNT, verified_at=timezone.now(), number="5511988887777"
    )


@pytest.fixture
def other(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT, verified_at=timezone.now(), number="551133334444")


def kinds(connection: Connection) -> list[str]:
    connection.refresh_from_db()
    return [each["kind"] for each in connection.alerts or []]


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        ("TIER_250", 250),
        ("TIER_2K", 2000),
        ("TIER_100K", 100_000),
        ("TIER_UNLIMITED", NO_LIMIT),
        ("TIER_NOT_SET", 0),
        (-1, NO_LIMIT),
        (2000, 2000),
        ("10000", 10_000),
        (True, None),
        ("TIER_", None),
        ({}, None),
        ("9" * 30, None),
        ("TIER_999999999K", None),
        (-5, None),
        (-(10**30), None),
    ],
)
def test_a_limit_is_read_however_meta_writes_it(value: Any, limit: int | None) -> None:
    assert read_limit(value) == limit


@pytest.mark.parametrize("limit", [-5, "TIER_999999999K", "9" * 30, 10**15, [250], None])
def test_a_limit_that_is_none_is_kept_raw_and_nothing_moves(
    number: Connection, limit: object
) -> None:
    report("business_capability_update", {"max_daily_conversations_per_business": 2000}, ago=60)
    before = Connection.objects.values().get()
    value = {"max_daily_conversations_per_business": limit}
    report("business_capability_update", value)
    report("phone_number_quality_update", {**SHOWN, "event": "NOVEL", "current_limit": limit})
    assert Connection.objects.values().get() == before
    events = InboundEvent.objects.order_by("pk")
    assert set(events.values_list("state", flat=True)) == {"done"}
    assert events[1].payload["value"] == value


def test_the_figures_are_asked_for(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [
        Answer({"quality_rating": "YELLOW", "whatsapp_business_manager_messaging_limit": "TIER_2K"})
    ]
    assert provider.number_figures() == NumberFigures("YELLOW", 2000)
    assert "whatsapp_business_manager_messaging_limit" in graph.calls[0].path
    graph.answers = [Answer({"quality_rating": ["odd"], "id": "1"})]
    assert provider.number_figures() == NumberFigures("", None)


def test_the_limit_of_a_number_is_that_of_all_of_its_account(
    number: Connection, other: Connection, emitted: list[Any]
) -> None:
    value = {**SHOWN, "event": "UPGRADE", "max_daily_conversations_per_business": "TIER_10K"}
    report("phone_number_quality_update", value)
    number.refresh_from_db()
    other.refresh_from_db()
    assert (number.messaging_limit, other.messaging_limit) == (10_000, 10_000)
    assert number.messaging_limit_at == other.messaging_limit_at is not None
    [(name, payload, company_id), (_, shared, _)] = emitted
    assert shared["whatsapp"]["messagingLimit"] == 10_000
    assert (name, payload["whatsapp"]["messagingLimit"], company_id) == (
        "whatsapp",
        10_000,
        number.company_id,
    )
    entries = AuditEntry.objects.filter(action="connection.figures_changed").order_by("pk")
    assert [entry.detail for entry in entries] == [
        {"limit": 10_000, "alerts": ["UPGRADE"], "over": ["DOWNGRADE"]},
        {"limit": 10_000, "alerts": [], "over": []},
    ]
    assert (kinds(number), kinds(other)) == (["UPGRADE"], [])


def test_faster_sending_is_no_limit_of_people(number: Connection) -> None:
    value = {**SHOWN, "event": "THROUGHPUT_UPGRADE", "current_limit": "TIER_UNLIMITED"}
    report("phone_number_quality_update", value)
    assert kinds(number) == ["THROUGHPUT_UPGRADE"]
    assert number.messaging_limit is None


def test_a_flag_is_an_alert_until_it_is_taken_back(number: Connection) -> None:
    report("phone_number_quality_update", {**SHOWN, "event": "FLAGGED"}, ago=60)
    assert kinds(number) == ["FLAGGED"]
    report("phone_number_quality_update", {**SHOWN, "event": "UNFLAGGED"})
    assert kinds(number) == []


def test_the_business_limit_is_that_of_all_its_numbers(
    number: Connection, other: Connection, globex: Company
) -> None:
    stranger = make_connection(globex, waba_id="9" * 15, verified_at=timezone.now())
    report("business_capability_update", {"max_daily_conversations_per_business": 2000})
    rows = Connection.objects.filter(pk__in=[number.pk, other.pk, stranger.pk]).order_by("pk")
    assert list(rows.values_list("messaging_limit", flat=True)) == [2000, 2000, None]
    report("business_capability_update", {"max_daily_conversation_per_phone": -1}, ago=3600)
    assert set(rows.values_list("messaging_limit", flat=True)) == {2000, None}, "older word"


def test_an_alert_is_kept_once_whatever_is_repeated(
    number: Connection, other: Connection, emitted: list[Any]
) -> None:
    at = timezone.now().timestamp()
    for number_of_times in range(3):
        report("account_alerts", DEFERRED | {"repeated": number_of_times}, at=at)
    assert InboundEvent.objects.count() == 3
    assert kinds(number) == kinds(other) == ["INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED"]
    assert len(emitted) == 2
    [alert] = emitted[0][1]["whatsapp"]["alerts"]
    assert (alert["severity"], alert["text"]) == (
        "warning",
        "Limits cannot be increased for your business.",
    )


def test_an_alert_of_one_number_is_that_ones(number: Connection, other: Connection) -> None:
    info = {"alert_type": "PROFILE_PICTURE_LOST", "alert_severity": "INFORMATIONAL"}
    of_number = {"entity_type": "PHONE_NUMBER", "entity_id": other.phone_number_id}
    report("account_alerts", {**of_number, "alert_info": info})
    assert (kinds(number), kinds(other)) == ([], ["PROFILE_PICTURE_LOST"])
    report("account_alerts", {**of_number, "alert_info": {**info, "alert_status": "NONE"}}, ago=-1)
    assert kinds(other) == []


def test_no_more_than_ten_are_kept_and_the_newest_are(number: Connection) -> None:
    for place in range(12):
        report("account_alerts", {"alert_type": f"KIND_{place}"}, ago=100 - place)
    assert kinds(number) == [f"KIND_{place}" for place in range(11, 1, -1)]


@pytest.mark.parametrize(
    "field", ["phone_number_quality_update", "business_capability_update", "account_alerts"]
)
@pytest.mark.parametrize(
    "value",
    [{}, {"event": ["odd"]}, {"alert_info": "odd"}, {"display_phone_number": 7}, "odd", None, [1]],
)
def test_another_shape_is_kept_and_changes_nothing(
    number: Connection, emitted: list[Any], field: str, value: Any
) -> None:
    report(field, value)
    event = InboundEvent.objects.get()
    assert event.state == "done"
    assert parse_notice(event.kind, event.payload) is None
    assert (kinds(number), number.messaging_limit, emitted) == ([], None, [])


def test_a_number_that_was_not_shown_is_not_spoken_of(number: Connection) -> None:
    report("account_alerts", DEFERRED, ago=5)
    Connection.objects.update(verified_at=None, alerts=[])
    report("account_alerts", DEFERRED)
    assert kinds(number) == []


def test_asking_keeps_what_was_learnt_and_when(
    number: Connection, graph: GraphServer, emitted: list[Any]
) -> None:
    graph.answers = [
        Answer({"quality_rating": "RED", "whatsapp_business_manager_messaging_limit": "TIER_250"})
    ]
    fresh = refresh_figures(number)
    assert (fresh.quality_rating, fresh.messaging_limit) == ("RED", 250)
    assert fresh.quality_at is not None
    assert emitted[0][1]["whatsapp"]["qualityRating"] == "RED"
    refresh_figures(fresh)
    assert len(emitted) == 1, "the same again is no news"


def test_old_figures_are_asked_for_and_a_refusal_waits_its_turn(
    number: Connection, other: Connection, graph: GraphServer
) -> None:
    graph.answers = [fault(190, status=401), Answer({"quality_rating": "GREEN"})]
    refresh_old_figures()
    refresh_old_figures()
    # The second number's account is asked for too.
    assert len(graph.calls) == 3
    ratings = Connection.objects.order_by("pk").values_list("quality_rating", flat=True)
    assert list(ratings) == ["", "GREEN"]
    Connection.objects.update(figures_asked_at=timezone.now() - timedelta(hours=13))
    refresh_old_figures()
    assert len(graph.calls) == 7


def test_alerts_that_were_read_are_taken_away(
    client_for: ClientFor, admin: User, number: Connection
) -> None:
    report("account_alerts", DEFERRED)
    answer = client_for(admin).delete(f"/api/whatsapp/{number.pk}/alerts")
    assert (answer.status_code, answer.json()["alerts"]) == (200, [])
    assert kinds(number) == []
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.actor_id) == ("connection.alerts_dismissed", admin.pk)


def test_another_number_begins_without_figures(
    client_for: ClientFor, admin: User, number: Connection, numbered: GraphServer
) -> None:
    report("account_alerts", DEFERRED)
    Connection.objects.update(quality_rating="RED", messaging_limit=250)
    body = {"phone_number_id": "100000000000555"}
    answer = client_for(admin).put(f"/api/whatsapp/{number.pk}", body)
    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert (shown["qualityRating"], shown["messagingLimit"], shown["alerts"]) == ("", None, [])
