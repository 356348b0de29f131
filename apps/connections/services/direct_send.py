"""Whether an account may send utility texts without a template (rules/connections §17).

Meta has no call that tells it: each answer to such a text does, and its reports about the account.
developers.facebook.com/documentation/business-messaging/whatsapp/direct-send (31 Jul 2026)
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.common.reasons import ReasonCode
from apps.connections import events
from apps.connections.models import Connection, DirectSend, ProviderKind
from apps.connections.providers.inbound import ProviderAlert
from apps.connections.queries import direct_send_of

RESTRICTION = "RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES"
# After a refusal the account is asked again, by the next text, no earlier.
ASKED_AGAIN_AFTER = timedelta(days=7)
# The answers that refuse the account, not the text.
REFUSALS: dict[str, timedelta] = {
    ReasonCode.DIRECT_SEND_OFF: ASKED_AGAIN_AFTER,
    ReasonCode.DIRECT_SEND_BLOCKED: ASKED_AGAIN_AFTER,
    # Meta counts in windows of 24 hours.
    ReasonCode.DIRECT_SEND_LIMIT: timedelta(hours=24),
    # Meta took it for an ordinary text.
    ReasonCode.WINDOW_CLOSED: ASKED_AGAIN_AFTER,
}


def note_direct_send(connection_id: int, *, reason_code: str) -> None:
    """Keep Meta's answer to a utility text: '' if it was accepted, else the reason's code.

    A text that was accepted before a refusal says nothing against it. Call it in a transaction.
    """
    now = timezone.now()
    if not reason_code:
        _keep(connection_id, DirectSend.MAY, at=now)
    elif reason_code in REFUSALS:
        until = now + REFUSALS[reason_code]
        _keep(connection_id, DirectSend.MAY_NOT, at=now, until=until, reason_code=reason_code)


def note_restrictions(
    connection: Connection, alerts: Collection[ProviderAlert], at: datetime | None
) -> None:
    """Keep what a report about the account says of utility texts; `at` is the report's time."""
    at = at or timezone.now()
    for alert in alerts:
        if alert.kind != RESTRICTION:
            continue
        if alert.is_over:
            _keep(connection.pk, DirectSend.UNKNOWN, at=at)
        else:
            _keep(
                connection.pk,
                DirectSend.MAY_NOT,
                at=at,
                until=alert.until or at + ASKED_AGAIN_AFTER,
                reason_code=ReasonCode.DIRECT_SEND_BLOCKED,
            )


def forget_direct_send(connection: Connection) -> None:
    """Clear, unsaved, what was known: the connection has another account."""
    connection.direct_send, connection.direct_send_reason_code = DirectSend.UNKNOWN, ""
    connection.direct_send_at = connection.direct_send_until = None


@transaction.atomic
def _keep(
    connection_id: int,
    state: DirectSend,
    *,
    at: datetime,
    until: datetime | None = None,
    reason_code: str = "",
) -> None:
    known = Connection.objects.filter(pk=connection_id, provider=ProviderKind.OFFICIAL).first()
    if known is None or not known.waba_id or state == DirectSend.MAY == known.direct_send:
        return
    for number in _locked(Q(waba_id=known.waba_id, verified_at__isnull=False)):
        if _counts(number, state, at):
            number.direct_send, number.direct_send_reason_code = state, reason_code
            number.direct_send_at, number.direct_send_until = at, until
            number.save(update_fields=[*_FIELDS, "updated_at"])
            events.connection_updated(number)


_FIELDS = ("direct_send", "direct_send_at", "direct_send_until", "direct_send_reason_code")


def _locked(which: Q) -> Any:
    numbers = Connection.objects.filter(which, provider=ProviderKind.OFFICIAL)
    return numbers.select_for_update(no_key=True).order_by("pk")


def _counts(number: Connection, state: DirectSend, at: datetime) -> bool:
    """Tell whether an answer or a report from then changes what is known of the number."""
    known_at = number.direct_send_at
    # Meta's times are whole seconds.
    if known_at is not None and known_at.replace(microsecond=0) > at:
        return False
    if state == DirectSend.MAY:
        return direct_send_of(number) == DirectSend.UNKNOWN
    return DirectSend.MAY_NOT in {state, number.direct_send}
