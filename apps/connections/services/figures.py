"""Quality, limit and alerts of official numbers (rules/connections §11)."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.connections import events
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import AlertSeverity, InboundFigures, ProviderAlert
from apps.connections.services.provision import official_provider_for
from apps.connections.services.routing import queue_routing_checks

ASK_SECONDS = 8.0
# Meta does not report the rating; it is polled at this interval.
AGE = timedelta(hours=12)
ASKED_AT_ONCE = 5
MOST_ALERTS = 10
# Alerts of our own, beside Meta's; they end with the next delivery (rules/costs §6).
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


class FiguresUnavailable(DomainError):
    """Meta refused to give the figures; the sentence is Meta's reason."""

    status = 424
    code = "ERR_FIGURES_UNAVAILABLE"
    message = "A Meta não informou como está o número. Tente de novo."


def refresh_figures(connection: Connection) -> Connection:
    """Ask Meta for a number's quality and limit; a QR session is left unchanged.

    Raises FiguresUnavailable. Never call it inside a transaction.
    """
    if connection.provider != ProviderKind.OFFICIAL or connection.verified_at is None:
        return connection
    # Every number is asked when it is new and twice a day.
    queue_routing_checks()
    asked_at = timezone.now()
    Connection.objects.filter(pk=connection.pk).update(figures_asked_at=asked_at)
    try:
        provider = official_provider_for(connection, read_seconds=ASK_SECONDS)
        found = provider.number_figures()
    except ProviderError as error:
        raise FiguresUnavailable(error.message, extra=error.reason.on_wire()) from error
    with transaction.atomic():
        number = _locked(Q(pk=connection.pk, phone_number_id=connection.phone_number_id)).first()
        if number is None:
            return connection
        was = (number.quality_rating, number.messaging_limit)
        if found.quality:
            number.quality_rating, number.quality_at = found.quality, asked_at
        if found.limit is not None:
            number.messaging_limit, number.messaging_limit_at = found.limit, asked_at
        is_new = was != (number.quality_rating, number.messaging_limit)
        _save(number, is_new=is_new)
        if is_new:
            events.connection_updated(number)
    result: Connection = number
    return result


def refresh_old_figures() -> None:
    """Ask for the figures of the numbers whose are the oldest, a few at a time."""
    waiting = Connection.objects.filter(
        Q(figures_asked_at=None) | Q(figures_asked_at__lt=timezone.now() - AGE),
        provider=ProviderKind.OFFICIAL,
        status=ConnectionStatus.CONNECTED,
        verified_at__isnull=False,
    )
    oldest = waiting.order_by(F("figures_asked_at").asc(nulls_first=True), "pk")
    for connection in oldest[:ASKED_AT_ONCE]:
        try:
            refresh_figures(connection)
        except FiguresUnavailable:
            continue  # retried when its turn comes again


def apply_figures(connection: Connection, report: InboundFigures) -> None:
    """Store Meta's figures of a number, or of all numbers of the account, and tell browsers.

    A report older than the stored figures changes nothing; an unverified number is skipped.
    """
    at = report.at or timezone.now()
    for number in _locked(_of_report(connection, report)):
        is_new = False
        known_at = number.messaging_limit_at
        # Meta's times are whole seconds.
        is_newer = known_at is None or known_at.replace(microsecond=0) <= at
        if report.limit is not None and is_newer:
            is_new = number.messaging_limit != report.limit
            number.messaging_limit, number.messaging_limit_at = report.limit, at
        for alert in report.alerts:
            is_new = _keep_alert(number, alert, at) or is_new
        _save(number, is_new=is_new)
        if is_new:
            _tell(number, report)


def _of_report(connection: Connection, report: InboundFigures) -> Q:
    of_account = Q(
        provider=ProviderKind.OFFICIAL, waba_id=connection.waba_id, verified_at__isnull=False
    )
    if report.phone_number_id:
        return of_account & Q(phone_number_id=report.phone_number_id)
    return of_account & Q(number=report.number) if report.number else of_account


def _locked(which: Q) -> Any:
    # Locked: of two concurrent reports the second reads the result of the first.
    return Connection.objects.select_for_update(no_key=True).filter(which).order_by("pk")


def _keep_alert(number: Connection, alert: ProviderAlert, at: datetime) -> bool:
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


def _save(number: Connection, *, is_new: bool) -> None:
    ends = [end for each in number.alerts or [] if (end := _end_of(each))]
    number.alerts_end_at = min(ends, default=None)
    figures = ("quality_rating", "quality_at", "messaging_limit", "messaging_limit_at")
    alerts = ("alerts", "alerts_end_at")
    # A repeated alert is no change of the connection.
    number.save(update_fields=[*figures, *alerts, *(["updated_at"] if is_new else [])])


def _end_of(alert: dict[str, Any]) -> datetime | None:
    return datetime.fromisoformat(alert["until"]) if alert.get("until") else None


def end_alerts() -> None:
    """Remove expired alerts and tell browsers."""
    now = timezone.now()
    due = Q(alerts_end_at__lte=now)
    for pk in Connection.objects.filter(due).values_list("pk", flat=True):
        with transaction.atomic():
            number = _locked(due & Q(pk=pk)).first()
            if number is None:
                continue
            over = [each for each in number.alerts if (end := _end_of(each)) and end <= now]
            number.alerts = [each for each in number.alerts if each not in over]
            _save(number, is_new=True)
            record(
                action="connection.alerts_ended",
                actor=None,
                company_id=number.company_id,
                target=number,
                detail={"alerts": [each["kind"] for each in over]},
            )
            events.connection_updated(number)


def _tell(number: Connection, report: InboundFigures) -> None:
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
        number = _locked(Q(pk=connection.pk)).get()
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
            _save(number, is_new=True)
            events.connection_updated(number)
    result: Connection = number
    return result


def follow_alert(connection_id: int, alert: ProviderAlert) -> None:
    """Keep or end an alert of our own about a number, and tell browsers.

    One of its kind that stands already stays as it is.
    """
    with transaction.atomic():
        number = _locked(Q(pk=connection_id)).first()
        if number is None:
            return
        stands = any(each["kind"] == alert.kind for each in number.alerts or [])
        if stands != alert.is_over or not _keep_alert(number, alert, timezone.now()):
            return
        _save(number, is_new=True)
        _tell(number, InboundFigures(alerts=(alert,)))
