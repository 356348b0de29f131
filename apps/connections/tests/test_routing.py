"""A number's place among its responders: subscribed once, its roles read every night."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, RoutingCheck
from apps.connections.providers.official.routing import role_names
from apps.connections.services import check_due_routing, refresh_old_figures
from apps.connections.services.routing import queue_routing_checks
from apps.connections.tests.graph import Answer, GraphServer, fault
from tests.factories import make_connection

pytestmark = pytest.mark.django_db
ACCOUNT = "200000000000777"
ROLES = {"roles": ["organic", "calls"], "is_standby": True, "novelty": {"a": 1}}


@pytest.fixture
def meta(graph: GraphServer) -> GraphServer:
    graph.places = {
        "subscribed_apps": Answer({"success": True, "data": []}),
        "routing_roles": Answer(ROLES),
    }
    return graph


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT)


def check() -> None:
    queue_routing_checks()
    check_due_routing(limit=10)


def posted(graph: GraphServer) -> list[Any]:
    return [call.json for call in graph.calls if call.method == "POST"]


def make_due() -> None:
    RoutingCheck.objects.update(next_attempt_at=timezone.now())


def test_a_number_is_subscribed_once_and_its_roles_are_shown(
    number: Connection, meta: GraphServer, emitted: Any
) -> None:
    before = timezone.now()
    check()
    [body] = posted(meta)
    assert {"messages", "standby", "messaging_handovers"} <= set(body["subscribed_fields"])
    number.refresh_from_db()
    assert number.routing_roles == ["organic", "calls", "standby"]
    assert number.routing_roles_at is not None and number.routing_roles_at >= before
    row = RoutingCheck.objects.get()
    assert (row.told, row.state, row.attempts) == (ROLES, LeaseState.WAITING, 0)
    assert row.next_attempt_at >= before + timedelta(hours=24)
    assert emitted[-1][1]["whatsapp"]["routingRoles"] == ["organic", "calls", "standby"]
    # Nothing is due before the next night; then only the roles and the app's fields are asked for.
    calls = len(meta.calls)
    check()
    assert len(meta.calls) == calls
    make_due()
    check()
    assert len(meta.calls) == calls + 2
    assert len(emitted) == 1, "the same again is no news"


def test_a_refused_subscription_is_told_and_tried_again(
    number: Connection, meta: GraphServer, emitted: Any
) -> None:
    meta.places["subscribed_apps"] = fault(100, "(#100) Invalid parameter")
    check()
    shown = emitted[-1][1]["whatsapp"]
    assert shown["routingReasonCode"] == "data_refused"
    assert shown["routingReason"].startswith("A Meta não aceitou")
    row = RoutingCheck.objects.get()
    assert (row.state, row.attempts, row.is_subscribed) == (LeaseState.WAITING, 1, False)
    assert timezone.now() < row.next_attempt_at < timezone.now() + timedelta(hours=6, minutes=1)
    meta.places["subscribed_apps"] = Answer({"success": True, "data": []})
    make_due()
    check()
    number.refresh_from_db()
    assert (number.routing_reason, number.routing_reason_code) == ("", "")
    assert RoutingCheck.objects.get().is_subscribed


def app_hears_of(*fields: str, **more: Any) -> Answer:
    listed = [{"name": name, "version": "v26.0"} for name in fields]
    row = {"object": "whatsapp_business_account", "active": True, "fields": listed, **more}
    return Answer({"data": [{"object": "page", "fields": [{"name": "standby"}]}, row]})


@pytest.fixture
def app(settings: Any) -> str:
    """Meta's app, of which the installation has id and secret."""
    settings.META_APP_ID, settings.META_APP_SECRET = "670", "secret"
    return "670"


@pytest.mark.parametrize(
    ("told", "detail"),
    [
        (app_hears_of("messages"), "messaging_handovers + standby"),
        (app_hears_of("messages", "messaging_handovers"), "standby"),
        (app_hears_of("standby", "messaging_handovers", active=False), None),
        (Answer({"data": []}), "messaging_handovers + standby"),
        (Answer({"data": [{"object": "whatsapp_business_account", "fields": [None, "x"]}]}), None),
    ],
)
def test_fields_of_which_the_app_does_not_hear_are_told_until_they_are_ticked(
    number: Connection, meta: GraphServer, app: str, told: Answer, detail: str | None
) -> None:
    meta.places["subscriptions"] = told
    check()
    number.refresh_from_db()
    assert number.routing_reason_code == "fields_lacking"
    assert number.routing_reason_detail == (detail or "messaging_handovers + standby")
    [asked] = [call for call in meta.calls if "subscriptions" in call.path]
    assert asked.headers["authorization"] == "Bearer 670|secret"
    meta.places["subscriptions"] = app_hears_of("messages", "standby", "messaging_handovers")
    make_due()
    check()
    number.refresh_from_db()
    assert (number.routing_reason, number.routing_roles) == ("", ["organic", "calls", "standby"])
    # Whoever takes a tick away is told the next night.
    meta.places["subscriptions"] = app_hears_of("messages", "standby")
    make_due()
    check()
    number.refresh_from_db()
    assert number.routing_reason_detail == "messaging_handovers"
    assert number.routing_roles == ["organic", "calls", "standby"]


def test_an_app_that_hears_of_the_fields_is_subscribed_without_naming_them(
    number: Connection, meta: GraphServer, app: str
) -> None:
    meta.places["subscriptions"] = app_hears_of("standby", "messaging_handovers")
    own = Answer({"data": [{"override_callback_uri": "https://balcao.example/webhooks/whatsapp"}]})
    refused, taken = fault(100, "(#100) Param subscribed_fields"), Answer({"success": True})
    del meta.places["subscribed_apps"]
    meta.answers = [own, refused, own, taken]
    check()
    number.refresh_from_db()
    assert number.routing_reason == ""
    assert set(posted(meta)[-1]) == {"override_callback_uri", "verify_token"}
    assert RoutingCheck.objects.get().is_subscribed


def test_an_app_that_meta_does_not_show_proves_nothing(
    number: Connection, meta: GraphServer, app: str
) -> None:
    meta.places["subscriptions"] = fault(190, "Invalid OAuth access token signature.")
    check()
    number.refresh_from_db()
    assert (number.routing_reason, number.routing_roles) == ("", ["organic", "calls", "standby"])


def test_an_address_of_the_accounts_own_is_kept(
    number: Connection, meta: GraphServer, settings: Any
) -> None:
    settings.META_VERIFY_TOKEN = "verificar"
    app = {"override_callback_uri": "https://balcao.example/webhooks/whatsapp"}
    meta.places["subscribed_apps"] = Answer({"data": [app]})
    check()
    [body] = posted(meta)
    assert body["override_callback_uri"] == app["override_callback_uri"]
    assert body["verify_token"] == "verificar"


def test_roles_that_meta_does_not_tell_change_nothing(
    number: Connection, meta: GraphServer
) -> None:
    check()
    meta.places["routing_roles"] = fault(100, subcode=33)
    make_due()
    check()
    number.refresh_from_db()
    assert (number.routing_roles, number.routing_reason) == (["organic", "calls", "standby"], "")
    assert RoutingCheck.objects.get().next_attempt_at > timezone.now() + timedelta(hours=23)


def test_a_number_whose_figures_are_asked_is_checked_as_well(
    number: Connection, meta: GraphServer
) -> None:
    refresh_old_figures()
    assert RoutingCheck.objects.get().connection_id == number.pk


def test_a_lost_claim_records_nothing(number: Connection, meta: GraphServer) -> None:
    queue_routing_checks()
    now = timezone.now()
    later = now + timedelta(minutes=5)
    RoutingCheck.objects.update(state="claimed", owner="other", lease_expires_at=later)
    assert check_due_routing(limit=10) == 0
    # Its worker died: another takes it over.
    RoutingCheck.objects.update(lease_expires_at=now - timedelta(seconds=1))
    assert check_due_routing(limit=10) == 1
    assert RoutingCheck.objects.get().is_subscribed


def test_only_connected_official_numbers_are_checked(acme: Company, meta: GraphServer) -> None:
    make_connection(acme, provider="beta", phone_number_id=None)
    make_connection(acme, status="DISCONNECTED")
    make_connection(acme, verified_at=None)
    check()
    assert not RoutingCheck.objects.exists()
    number = make_connection(acme)
    queue_routing_checks()
    Connection.objects.filter(pk=number.pk).update(status="DISCONNECTED")
    check_due_routing(limit=10)
    assert meta.calls == []


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ({}, []),
        ([], []),
        ("roles", []),
        ({"roles": None}, []),
        ({"roles": [1, None, {}, "calls", "calls"]}, ["calls"]),
        ({"roles": ["x" * 500], "is_standby": "yes"}, ["x" * 60]),
        ({"roles": [str(each) for each in range(99)]}, [str(each) for each in range(20)]),
    ],
)
def test_odd_roles_are_read_without_harm(told: Any, names: list[str]) -> None:
    assert role_names(told) == names
