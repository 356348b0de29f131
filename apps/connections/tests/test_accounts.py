"""What Meta reports of an account reaches its numbers, and the people who answer for them."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.serializers import row_of
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.connections.serializers.connections import ConnectionSerializer
from apps.connections.services import dismiss_alerts, end_alerts, sessions
from apps.connections.services.sessions import apply_account_change
from apps.connections.tasks import verify_opening
from apps.connections.tests.graph import GraphServer
from apps.inbound.services.processing import process_due
from apps.inbound.services.storing import store_notices
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT = "200000000000777"
YESTERDAY = timezone.now() - timedelta(days=1)
LOCKED = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "DISABLE"}}
UNLOCKED = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "REINSTATE"}}
SOON_LOCKED = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": "SCHEDULE_FOR_DISABLE"}}
RESTRICTED = {
    "event": "ACCOUNT_RESTRICTION",
    "restriction_info": [{"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING"}],
}
REMOVED = {"event": "PARTNER_REMOVED", "waba_info": {"waba_id": ACCOUNT}}


def report(value: dict[str, Any], *, at: float | None = None, entry: str = ACCOUNT) -> None:
    """Have Meta report a change of the account, as its webhook words it."""
    time = timezone.now().timestamp() if at is None else at
    change = {"field": "account_update", "value": value}
    store_notices(notices({"entry": [{"id": entry, "time": int(time), "changes": [change]}]}))
    process_due(limit=10)


def states() -> list[tuple[str, str, str]]:
    rows = Connection.objects.order_by("pk")
    return list(rows.values_list("status", "reason_code", "reason_detail"))


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT, verified_at=YESTERDAY)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (LOCKED, "account_locked"),
        ({"event": "ACCOUNT_DELETED"}, "account_deleted"),
        (REMOVED, "access_removed"),
        ({"event": "PARTNER_APP_UNINSTALLED", "waba_info": {"waba_id": ACCOUNT}}, "access_removed"),
    ],
)
def test_an_account_that_is_lost_takes_all_its_numbers_down(
    acme: Company, globex: Company, number: Connection, value: dict[str, Any], reason: str
) -> None:
    make_connection(acme, waba_id=ACCOUNT, verified_at=YESTERDAY)
    make_connection(globex, verified_at=YESTERDAY)
    # Of partners' accounts the entry is not the account's.
    report(value, entry="900000000000001" if "waba_info" in value else ACCOUNT)
    down = (ConnectionStatus.DISCONNECTED, reason, "")
    assert states() == [down, down, (ConnectionStatus.CONNECTED, "", "")]
    number.refresh_from_db()
    assert number.status_reason
    entry = AuditEntry.objects.filter(company_id=acme.pk).earliest("pk")
    assert (entry.action, entry.detail) == (
        "connection.account_changed",
        {"state": "lost", "reason": reason},
    )


def test_browsers_hear_of_it(number: Connection, emitted: list[Any]) -> None:
    report(LOCKED)
    names = {name for name, payload, _ in emitted if payload["action"] == "update"}
    assert {"whatsapp", "whatsappSession"} <= {getattr(name, "name", name) for name in names}


@pytest.mark.parametrize(
    ("value", "reason", "detail"),
    [
        (RESTRICTED, "account_restricted", "RESTRICTED_BIZ_INITIATED_MESSAGING"),
        (
            {"event": "ACCOUNT_VIOLATION", "violation_info": {"violation_type": "SCAM"}},
            "account_restricted",
            "SCAM",
        ),
        (SOON_LOCKED, "account_lock_ahead", ""),
    ],
)
def test_a_warning_is_shown_and_nothing_else_changes(
    number: Connection, value: dict[str, Any], reason: str, detail: str
) -> None:
    report(value)
    assert states() == [(ConnectionStatus.CONNECTED, reason, detail)]
    assert [each["severity"] for each in alerts(number)] == ["critical"]
    report(UNLOCKED)
    assert states() == [(ConnectionStatus.CONNECTED, "", "")]
    assert alerts(number) == []


def restriction(kind: str, expiration: Any) -> dict[str, Any]:
    """Word a restriction as Meta does."""
    info = {"restriction_type": f"RESTRICTED_{kind}", "expiration": expiration}
    return {"event": "ACCOUNT_RESTRICTION", "restriction_info": [info]}


def alerts(connection: Connection) -> list[dict[str, Any]]:
    """Return what browsers are shown of a number's trouble."""
    connection.refresh_from_db()
    shown: list[dict[str, Any]] = row_of(ConnectionSerializer, connection)["alerts"]
    return shown


def test_what_is_restricted_is_told_with_its_end(
    acme: Company, globex: Company, number: Connection, emitted: list[Any]
) -> None:
    other = make_connection(acme, waba_id=ACCOUNT, verified_at=YESTERDAY)
    stranger = make_connection(globex, waba_id="9" * 15, verified_at=YESTERDAY)
    end = timezone.now().replace(microsecond=0) + timedelta(days=3)
    value = restriction("BIZ_INITIATED_MESSAGING", int(end.timestamp()))
    [written] = restriction("CUSTOMER_INITIATED_MESSAGING", f"{end:%Y-%m-%dT%H:%M:%S}.000Z")[
        "restriction_info"
    ]
    value["restriction_info"].append(written)
    report(value)
    for each in (number, other):
        assert {(alert["kind"], alert["until"]) for alert in alerts(each)} == {
            ("RESTRICTED_BIZ_INITIATED_MESSAGING", end.isoformat()),
            ("RESTRICTED_CUSTOMER_INITIATED_MESSAGING", end.isoformat()),
        }
    assert alerts(stranger) == []
    told = [payload["whatsapp"]["alerts"] for name, payload, _ in emitted if name == "whatsapp"]
    assert [len(each) for each in told if each]
    assert AuditEntry.objects.filter(action="connection.figures_changed").count() == 2


def test_a_restriction_ends_by_itself(
    number: Connection, emitted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    started_at = timezone.now()
    now = started_at.timestamp()
    report(restriction("ADD_PHONE_NUMBER_ACTION", int(now + 3600)))
    report(restriction("BIZ_INITIATED_MESSAGING", int(now + 7200)))
    end_alerts()
    assert len(alerts(number)) == 2
    emitted.clear()
    monkeypatch.setattr(timezone, "now", lambda: started_at + timedelta(seconds=3700))
    end_alerts()
    end_alerts()
    assert [each["kind"] for each in alerts(number)] == ["RESTRICTED_BIZ_INITIATED_MESSAGING"]
    assert len(emitted) == 1
    monkeypatch.setattr(timezone, "now", lambda: started_at + timedelta(seconds=7300))
    end_alerts()
    assert alerts(number) == []
    assert number.alerts_end_at is None


def test_a_restriction_whose_end_is_past_is_none(number: Connection) -> None:
    now = timezone.now().timestamp()
    report(restriction("BIZ_INITIATED_MESSAGING", int(now + 3600)), at=now - 20)
    report(restriction("BIZ_INITIATED_MESSAGING", int(now - 10)))
    assert alerts(number) == []


@pytest.mark.parametrize("end", [None, "", "soon", 10**30, {}, "2026-13-45T00:00:00Z", True])
def test_an_end_that_is_none_leaves_the_restriction(number: Connection, end: Any) -> None:
    report(restriction("BIZ_INITIATED_MESSAGING", end))
    [alert] = alerts(number)
    assert alert["until"] is None
    end_alerts()
    assert alerts(number) == [alert]


def test_a_restriction_that_was_read_is_shown_no_longer(number: Connection, admin: User) -> None:
    report(restriction("BIZ_INITIATED_MESSAGING", int(timezone.now().timestamp() + 3600)))
    dismiss_alerts(actor=admin, connection=number)
    assert alerts(number) == []
    assert number.alerts_end_at is None


def test_an_account_that_is_back_is_asked_for_at_meta(
    number: Connection, numbered: GraphServer
) -> None:
    report(LOCKED)
    report(UNLOCKED)
    assert states() == [(ConnectionStatus.OPENING, "", "")]
    sessions.verify_opening()
    assert states() == [(ConnectionStatus.CONNECTED, "", "")]


@pytest.mark.parametrize("event", ["PARTNER_ADDED", "PARTNER_APP_INSTALLED", "ACCOUNT_RECONNECTED"])
def test_access_that_came_back_ends_no_restriction(number: Connection, event: str) -> None:
    report(restriction("BIZ_INITIATED_MESSAGING", int(timezone.now().timestamp() + 3600)))
    [alert] = alerts(number)
    report({"event": event, "waba_info": {"waba_id": ACCOUNT}})
    assert alerts(number) == [alert]


def test_alerts_end_whatever_becomes_of_metas_answers(
    number: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    started_at = timezone.now()
    report(restriction("BIZ_INITIATED_MESSAGING", int(started_at.timestamp() + 3600)))
    monkeypatch.setattr(timezone, "now", lambda: started_at + timedelta(seconds=3700))
    monkeypatch.setattr(services, "verify_opening", Mock(side_effect=RuntimeError))
    with pytest.raises(RuntimeError):
        verify_opening()
    assert alerts(number) == []


def test_what_is_down_for_a_reason_of_its_own_stays_as_it_is(number: Connection) -> None:
    Connection.objects.update(
        status=ConnectionStatus.DISCONNECTED, reason_code="disconnected", reason_detail="Ana"
    )
    for value in (LOCKED, RESTRICTED, UNLOCKED):
        report(value)
    assert states() == [(ConnectionStatus.DISCONNECTED, "disconnected", "Ana")]


def test_word_that_is_older_than_the_numbers_last_look_changes_nothing(number: Connection) -> None:
    report(LOCKED, at=YESTERDAY.timestamp() - 60)
    assert states() == [(ConnectionStatus.CONNECTED, "", "")]


@pytest.mark.parametrize(
    "value",
    [
        {"event": "VOLUME_BASED_PRICING_TIER_UPDATE"},
        {"event": "DISABLED_UPDATE", "ban_info": "odd"},
        {"event": ["odd"], "restriction_info": {"odd": 1}},
        {},
    ],
)
def test_anything_else_of_an_account_asks_for_nothing(
    number: Connection, value: dict[str, Any]
) -> None:
    assert parse_notice("account_update", {"value": value}) is None
    report(value)
    assert states() == [(ConnectionStatus.CONNECTED, "", "")]


def test_a_number_that_was_not_shown_is_not_spoken_of(number: Connection) -> None:
    change = parse_notice("account_update", {"value": LOCKED})
    Connection.objects.update(verified_at=None)
    apply_account_change(number, change)  # type: ignore[arg-type]
    assert states() == [(ConnectionStatus.CONNECTED, "", "")]


def direct_send(number: Connection) -> tuple[str, Any]:
    number.refresh_from_db()
    row = row_of(ConnectionSerializer, number)
    return row["directSend"], row["directSendUntil"]


def test_a_restriction_of_utility_texts_counts_until_its_end_or_until_it_is_lifted(
    acme: Company, number: Connection
) -> None:
    other = make_connection(acme, waba_id="9" * 15, verified_at=YESTERDAY)
    end = timezone.now().replace(microsecond=0) + timedelta(days=7)
    report(restriction("DIRECT_SEND_UTILITY_TEMPLATES", int(end.timestamp())))
    assert direct_send(number) == ("may_not", end)
    assert direct_send(other) == ("unknown", None)
    [alert] = alerts(number)
    assert alert["kind"] == "RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES"
    lifted = {"violation_type": "DIRECT_SEND_UTILITY_CATEGORY_ABUSE_UNBAN"}
    report({"event": "ACCOUNT_RESTRICTION", "violation_info": lifted})
    assert direct_send(number) == ("unknown", None)
    assert alerts(number) == []


def test_a_lapsed_restriction_of_utility_texts_is_none(
    number: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    report(restriction("DIRECT_SEND_UTILITY_TEMPLATES", int(now.timestamp() + 3600)))
    assert direct_send(number)[0] == "may_not"
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=3700))
    assert direct_send(number)[0] == "unknown"


def test_an_older_report_does_not_lift_a_newer_refusal(number: Connection) -> None:
    now = timezone.now().timestamp()
    report(restriction("DIRECT_SEND_UTILITY_TEMPLATES", int(now + 3600)), at=now)
    lifted = {"violation_type": "DIRECT_SEND_UTILITY_CATEGORY_ABUSE_RATE_LIMIT_RECOVERY"}
    report({"event": "ACCOUNT_RESTRICTION", "violation_info": lifted}, at=now - 600)
    assert direct_send(number)[0] == "may_not"
    report({"event": "ACCOUNT_RESTRICTION", "violation_info": lifted}, at=now + 1)
    assert direct_send(number)[0] == "unknown"
