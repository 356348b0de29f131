"""Quality and limit of official numbers, and what Meta reports of them (rules/connections §11)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.common.errors import DomainError
from apps.connections import events
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import AccountOwner, InboundFigures
from apps.connections.queries import ceilings_of
from apps.connections.services.alerts import (
    keep_alert,
    locked_numbers,
    save_figures,
    tell_figures,
)
from apps.connections.services.forms import want_lacking_forms
from apps.connections.services.provision import official_provider_for
from apps.connections.services.routing import queue_routing_checks

ASK_SECONDS = 8.0
# Meta does not report the rating; it is polled at this interval.
AGE = timedelta(hours=12)
ASKED_AT_ONCE = 5


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
        numbers = locked_numbers(_official(Q(company=connection.company_id)))
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
                save_figures(each, is_new=is_new)
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
    numbers = locked_numbers(_official(Q(company__in=reported.order_by().values("company"))))
    ids = set(reported.values_list("pk", flat=True))
    named = [each for each in numbers if each.pk in ids]
    sharing = _sharing(numbers, named) if report.limit is not None else []
    limited = _keep_limit(sharing, report.limit, at) if report.limit is not None else []
    for number in numbers:
        is_new = number in limited
        own = report if number in named else InboundFigures()
        for alert in own.alerts:
            is_new = keep_alert(number, alert, at) or is_new
        if number in named or number in sharing:
            save_figures(number, is_new=is_new)
        if is_new:
            tell_figures(number, own)


def _official(which: Q) -> Q:
    return which & Q(provider=ProviderKind.OFFICIAL, verified_at__isnull=False)


def _of_report(connection: Connection, report: InboundFigures) -> Q:
    of_account = _official(Q(waba_id=connection.waba_id))
    if report.phone_number_id:
        return of_account & Q(phone_number_id=report.phone_number_id)
    return of_account & Q(number=report.number) if report.number else of_account
