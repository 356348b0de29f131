"""Subscribes numbers to what other responders do, and reads their roles (rules/connections §16)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.reasons import Reason, ReasonCode
from apps.connections import events
from apps.connections.models import Connection, ConnectionStatus, ProviderKind, RoutingCheck
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.providers.official.routing import FIELDS, app_fields, role_names
from apps.connections.services.provision import official_provider_for

CHECKS = LeasedWork(model=RoutingCheck, lease_setting="DELIVERY_LEASE_SECONDS")
ASK_SECONDS = 8.0
NIGHT = timedelta(hours=24)
LONGEST_DELAY = 6 * 3600.0
REASON_LENGTH = 500


def queue_routing_checks() -> None:
    """Queue the check of each connected official number that has none yet."""
    lacking = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL,
        status=ConnectionStatus.CONNECTED,
        verified_at__isnull=False,
        routing_check=None,
    )
    if checks := [RoutingCheck(connection_id=pk) for pk in lacking.values_list("pk", flat=True)]:
        RoutingCheck.objects.bulk_create(checks, ignore_conflicts=True)


def check_due_routing(*, limit: int) -> int:
    """Check up to `limit` numbers; return how many were claimed.

    Never call it inside a transaction. Every call to Meta may be repeated.
    """
    with CHECKS.claimed(limit) as claim:
        for check in claim.rows().select_related("connection"):
            _check(check, claim)
        return len(claim.ids)


def _check(check: RoutingCheck, claim: Claim[RoutingCheck]) -> None:
    connection, now = check.connection, timezone.now()
    is_official = connection.provider == ProviderKind.OFFICIAL
    if not is_official or connection.status != ConnectionStatus.CONNECTED:
        claim.retry_later(check, now + NIGHT, "The number is not connected.", attempts=0)
        return
    try:
        provider = official_provider_for(connection, read_seconds=ASK_SECONDS)
        lacking = _lacking_fields()
        if not check.is_subscribed:
            _subscribe(provider, connection, is_heard=lacking == set())
        if lacking:
            raise ProviderError(
                f"O app da Meta não recebe {' e '.join(sorted(lacking))}.",
                reason=Reason(ReasonCode.FIELDS_LACKING, " + ".join(sorted(lacking))),
            )
    except ProviderError as error:
        _put_off(check, claim, error)
        return
    _read_roles(check, claim, provider, now)


def _lacking_fields() -> set[str] | None:
    """Return which of the fields our app does not hear of, None if Meta does not tell."""
    app_id, secret = settings.META_APP_ID, settings.META_APP_SECRET
    if not (app_id and secret):
        return None
    client = GraphClient(
        access_token=f"{app_id}|{secret}",
        base_url=settings.GRAPH_API_URL,
        version=settings.GRAPH_API_VERSION,
        read_seconds=ASK_SECONDS,
    )
    try:
        return set(FIELDS - app_fields(client, app_id))
    except ProviderError:
        return None


def _subscribe(provider: OfficialProvider, connection: Connection, *, is_heard: bool) -> None:
    """Subscribe the account; `is_heard`: our app hears of the fields, so they need no naming.

    Meta's page of the call names no fields, and may refuse them.
    """
    account, verify_token = connection.waba_id, settings.META_VERIFY_TOKEN
    try:
        provider.subscribe_fields(account, verify_token=verify_token)
    except ProviderError as error:
        if error.reason.code != ReasonCode.DATA_REFUSED or not is_heard:
            raise
        provider.subscribe_fields(account, verify_token=verify_token, names_fields=False)


def _put_off(check: RoutingCheck, claim: Claim[RoutingCheck], error: ProviderError) -> None:
    """Retry later, and say on the connection why it is not subscribed."""
    delay = error.retry_after or retry_delay(check.attempts, longest=LONGEST_DELAY)
    with transaction.atomic():
        until = timezone.now() + timedelta(seconds=delay)
        if not claim.retry_later(check, until, error.message):
            return
        _show(
            check.connection,
            routing_reason=error.message[:REASON_LENGTH],
            routing_reason_code=error.reason.code,
            routing_reason_detail=error.reason.detail,
        )


def _read_roles(
    check: RoutingCheck, claim: Claim[RoutingCheck], provider: OfficialProvider, now: datetime
) -> None:
    """Store the roles; where Meta tells none, those of before stay until the next night."""
    told, failure = None, ""
    try:
        told = provider.routing_roles()
    except ProviderError as error:
        failure = error.message
    news = {} if told is None else {"told": told}
    with transaction.atomic():
        if not claim.retry_later(
            check, now + NIGHT, failure, attempts=0, is_subscribed=True, **news
        ):
            return
        shown = {} if told is None else {"routing_roles": role_names(told), "routing_roles_at": now}
        no_reason = dict.fromkeys(
            ("routing_reason", "routing_reason_code", "routing_reason_detail"), ""
        )
        _show(check.connection, **no_reason, **shown)


def _show(connection: Connection, **values: object) -> None:
    """Store what the connection shows, and tell browsers where it differs."""
    at = values.pop("routing_roles_at", None)
    is_new = any(getattr(connection, name) != value for name, value in values.items())
    for name, value in values.items():
        setattr(connection, name, value)
    if at is not None:
        connection.routing_roles_at = at  # type: ignore[assignment]
        values["routing_roles_at"] = at
    Connection.objects.filter(pk=connection.pk).update(**values)
    if is_new:
        events.connection_updated(connection)
