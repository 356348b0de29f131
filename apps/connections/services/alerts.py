"""The alerts that stand with a number: Meta's and our own (rules/connections §11)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.connections import events
from apps.connections.models import Connection
from apps.connections.providers.inbound import AlertSeverity, InboundFigures, ProviderAlert

MOST_ALERTS = 10
# Alerts of our own, beside Meta's. These two end with the next delivery (rules/costs §6).
PAYMENT_ALERT = ProviderAlert(
    "PAYMENT_MISSING",
    AlertSeverity.CRITICAL,
    "A Meta recusou um envio por falta de pagamento. Confira a forma de pagamento da conta.",
)
SILENCE_ALERT = ProviderAlert(
    "NOT_DELIVERED",
    AlertSeverity.CRITICAL,
    "A Meta aceita os envios deste número, mas não entrega nenhum. Confira o pagamento da conta.",
)


def locked_numbers(which: Q) -> list[Connection]:
    """Return numbers, locked: of two concurrent reports the second reads the first one's result."""
    rows = Connection.objects.select_for_update(no_key=True).filter(which)
    return list(rows.order_by("pk"))


def keep_alert(number: Connection, alert: ProviderAlert, at: datetime) -> bool:
    """Prepend an alert, or remove those of its kind; return whether anything changed."""
    known = number.alerts or []
    same = [each for each in known if each["kind"] == alert.kind]
    if any(each["at"] > at.isoformat() for each in same):
        return False
    is_over = alert.is_over or (alert.until is not None and alert.until <= timezone.now())
    if is_over and not same:
        return False
    others = [each for each in known if each["kind"] != alert.kind]
    if is_over:
        number.alerts = others
        return True
    kept = {
        "kind": alert.kind,
        "severity": alert.severity.value,
        "text": alert.text,
        "at": at.isoformat(),
        "until": alert.until.isoformat() if alert.until else None,
    }
    newest_first = sorted([kept, *others], key=lambda each: str(each["at"]), reverse=True)
    number.alerts = newest_first[:MOST_ALERTS]
    return kept not in same


def save_figures(number: Connection, *, is_new: bool) -> None:
    """Store a number's figures and alerts; `is_new` says that browsers are told of them."""
    ends = [end for each in number.alerts or [] if (end := _end_of(each))]
    number.alerts_end_at = min(ends, default=None)
    figures = ("quality_rating", "quality_at", "messaging_limit", "messaging_limit_at")
    owner = ("portfolio_id", "portfolio_name", "business_verification", "business_verification_at")
    alerts = ("alerts", "alerts_end_at")
    # A repeated alert is no change of the connection.
    number.save(update_fields=[*figures, *owner, *alerts, *(["updated_at"] if is_new else [])])


def _end_of(alert: dict[str, Any]) -> datetime | None:
    return datetime.fromisoformat(alert["until"]) if alert.get("until") else None


def end_alerts() -> None:
    """Remove expired alerts and tell browsers."""
    now = timezone.now()
    due = Q(alerts_end_at__lte=now)
    for pk in Connection.objects.filter(due).values_list("pk", flat=True):
        with transaction.atomic():
            number = next(iter(locked_numbers(due & Q(pk=pk))), None)
            if number is None:
                continue
            over = [each for each in number.alerts or [] if (end := _end_of(each)) and end <= now]
            number.alerts = [each for each in number.alerts or [] if each not in over]
            save_figures(number, is_new=True)
            record(
                action="connection.alerts_ended",
                actor=None,
                company_id=number.company_id,
                target=number,
                detail={"alerts": [each["kind"] for each in over]},
            )
            events.connection_updated(number)


def tell_figures(number: Connection, report: InboundFigures) -> None:
    """Audit what was reported of a number, and tell browsers."""
    record(
        action="connection.figures_changed",
        actor=None,
        company_id=number.company_id,
        target=number,
        detail={
            "limit": number.messaging_limit,
            "alerts": [alert.kind for alert in report.alerts if not alert.is_over],
            "over": [alert.kind for alert in report.alerts if alert.is_over],
        },
    )
    events.connection_updated(number)


def dismiss_alerts(
    *, actor: User, connection: Connection, ip_address: str | None = None
) -> Connection:
    """Remove a number's alerts after somebody has read them."""
    with transaction.atomic():
        [number] = locked_numbers(Q(pk=connection.pk))
        if number.alerts:
            record(
                action="connection.alerts_dismissed",
                actor=actor,
                company_id=number.company_id,
                target=number,
                detail={"alerts": [each["kind"] for each in number.alerts]},
                ip_address=ip_address,
            )
            number.alerts = []
            save_figures(number, is_new=True)
            events.connection_updated(number)
    return number


def follow_alert(connection_id: int, alert: ProviderAlert) -> None:
    """Keep or end an alert of our own about a number, and tell browsers.

    One of its kind that stands already stays as it is.
    """
    with transaction.atomic():
        number = next(iter(locked_numbers(Q(pk=connection_id))), None)
        if number is None:
            return
        stands = any(each["kind"] == alert.kind for each in number.alerts or [])
        if stands != alert.is_over or not keep_alert(number, alert, timezone.now()):
            return
        save_figures(number, is_new=True)
        tell_figures(number, InboundFigures(alerts=(alert,)))
