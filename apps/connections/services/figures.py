"""Quality, limit and alerts of official numbers (rules/connections §11)."""

from collections.abc import Sequence
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
from apps.connections.providers.inbound import (
    AccountOwner,
    AlertSeverity,
    InboundFigures,
    ProviderAlert,
)
from apps.connections.queries import ceilings_of
from apps.connections.services.forms import want_lacking_forms
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
    want_lacking_forms()
    asked_at = timezone.now()
    Connection.objects.filter(pk=connection.pk).update(figures_asked_at=asked_at)
    try:
        provider = official_provider_for(connection, read_seconds=ASK_SECONDS)
        found = provider.number_figures()
    except ProviderError as error:
        raise FiguresUnavailable(error.message, extra=error.reason.on_wire()) from error
    try:
        owner = provider.account_owner(connection.waba_id)
    except ProviderError:
        # Not every token may read the account; what is known of it stays.
        owner = AccountOwner()
    with transaction.atomic():
        numbers = _locked(_official(Q(company=connection.company_id)))
        wanted = (connection.pk, connection.phone_number_id, connection.waba_id)
        number = next((n for n in numbers if _ids(n) == wanted), None)
        if number is None:
            return connection
        before = {each.pk: _shown(each) for each in numbers}
        if found.quality:
            number.quality_rating, number.quality_at = found.quality, asked_at
        _keep_owner([each for each in numbers if each.waba_id == number.waba_id], owner, asked_at)
        if found.limit is not None:
            _keep_limit(_sharing(numbers, [number]), found.limit, asked_at)
        for each in numbers:
            is_new = before[each.pk] != _shown(each)
            if is_new or each is number:
                _save(each, is_new=is_new)
            if is_new:
                events.connection_updated(each)
    return number


def _ids(number: Connection) -> tuple[int, str | None, str]:
    return number.pk, number.phone_number_id, number.waba_id


def _shown(number: Connection) -> tuple[object, ...]:
    """Return the figures whose changes browsers are told."""
    owner = (number.portfolio_id, number.portfolio_name, number.business_verification)
    return (number.quality_rating, number.messaging_limit, *owner)


def _keep_owner(numbers: Sequence[Connection], owner: AccountOwner, at: datetime) -> None:
    """Store the owner of the account of some numbers, as far as it is told."""
    for number in numbers:
        if owner.portfolio_id:
            number.portfolio_id, number.portfolio_name = owner.portfolio_id, owner.name
        if owner.verification:
            number.business_verification = owner.verification
            number.business_verification_at = at


def _keep_limit(numbers: Sequence[Connection], limit: int, at: datetime) -> list[Connection]:
    """Store the limit of a portfolio with its numbers; an older one changes nothing.

    Returns the numbers of which it is news.
    """
    news = []
    for number in numbers:
        known_at = number.messaging_limit_at
        # Meta's times are whole seconds.
        if known_at is None or known_at.replace(microsecond=0) <= at:
            if number.messaging_limit != limit:
                news.append(number)
            number.messaging_limit, number.messaging_limit_at = limit, at
    return news


def _sharing(numbers: Sequence[Connection], named: Sequence[Connection]) -> list[Connection]:
    """Return the numbers under the same limits as the named ones."""
    ceilings = ceilings_of(numbers)
    wanted = {ceilings[each.pk] for each in named}
    return [each for each in numbers if ceilings[each.pk] in wanted]


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

    A limit is that of all numbers of their companies in the portfolio. A report older than the
    stored figures changes nothing; an unverified number is skipped.
    """
    at = report.at or timezone.now()
    reported = Connection.objects.filter(_of_report(connection, report))
    numbers = _locked(_official(Q(company__in=reported.order_by().values("company"))))
    ids = set(reported.values_list("pk", flat=True))
    named = [each for each in numbers if each.pk in ids]
    sharing = _sharing(numbers, named) if report.limit is not None else []
    limited = _keep_limit(sharing, report.limit, at) if report.limit is not None else []
    for number in numbers:
        is_new = number in limited
        own = report if number in named else InboundFigures()
        for alert in own.alerts:
            is_new = _keep_alert(number, alert, at) or is_new
        if number in named or number in sharing:
            _save(number, is_new=is_new)
        if is_new:
            _tell(number, own)


def _official(which: Q) -> Q:
    return which & Q(provider=ProviderKind.OFFICIAL, verified_at__isnull=False)


def _of_report(connection: Connection, report: InboundFigures) -> Q:
    of_account = _official(Q(waba_id=connection.waba_id))
    if report.phone_number_id:
        return of_account & Q(phone_number_id=report.phone_number_id)
    return of_account & Q(number=report.number) if report.number else of_account


def _locked(which: Q) -> list[Connection]:
    # Locked: of two concurrent reports the second reads the result of the first.
    rows = Connection.objects.select_for_update(no_key=True).filter(which)
    return list(rows.order_by("pk"))


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
            number = next(iter(_locked(due & Q(pk=pk))), None)
            if number is None:
                continue
            over = [each for each in number.alerts or [] if (end := _end_of(each)) and end <= now]
            number.alerts = [each for each in number.alerts or [] if each not in over]
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
        [number] = _locked(Q(pk=connection.pk))
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
    return number


def follow_alert(connection_id: int, alert: ProviderAlert) -> None:
    """Keep or end an alert of our own about a number, and tell browsers.

    One of its kind that stands already stays as it is.
    """
    with transaction.atomic():
        number = next(iter(_locked(Q(pk=connection_id))), None)
        if number is None:
            return
        stands = any(each["kind"] == alert.kind for each in number.alerts or [])
        if stands != alert.is_over or not _keep_alert(number, alert, timezone.now()):
            return
        _save(number, is_new=True)
        _tell(number, InboundFigures(alerts=(alert,)))
