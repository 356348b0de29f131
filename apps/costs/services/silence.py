"""Tells of numbers that Meta lets send and does not deliver for (rules/costs §6)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.audit.queries import entries_about
from apps.common.reasons import ReasonCode
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.providers.inbound import ProviderAlert
from apps.connections.services import PAYMENT_ALERT, SILENCE_ALERT, follow_alert
from apps.tickets.models import Ack, Message, MessageSource
from apps.tickets.services.outbox.statuses import Arrival

OURS = frozenset({PAYMENT_ALERT.kind, SILENCE_ALERT.kind})
IN_A_ROW = 20
AGE = timedelta(minutes=30)
# Whoever delivered one of the newest is not looked at further.
NEWEST = 100
LOOKED_BACK = timedelta(hours=24)
ACCEPTED = (Ack.SENT, Ack.SERVER)
SECOND = timedelta(seconds=1)


def note_refusals(messages: Sequence[Message]) -> None:
    """Raise the alert of numbers whose account can't pay."""
    refused = {
        each.connection_id
        for each in messages
        if each.ack == Ack.ERROR and each.reason_code == ReasonCode.PAYMENT and each.connection_id
    }
    for connection_id in refused:
        # Connections are locked before messages, which are locked here. If the process dies before,
        # the next refusal raises it.
        transaction.on_commit(partial(follow_alert, connection_id, PAYMENT_ALERT), robust=True)


def note_deliveries(arrivals: Iterable[Arrival]) -> None:
    """End the alerts of numbers of which a delivery came after them."""
    latest: dict[int, tuple[Connection, datetime]] = {}
    for each in arrivals:
        if each.at is not None and each.connection.alerts:
            known = latest.get(each.connection.pk)
            latest[each.connection.pk] = (
                each.connection,
                max(each.at, known[1]) if known else each.at,
            )
    for connection, at in latest.values():
        for alert in connection.alerts or []:
            # Meta's times are whole seconds.
            if alert["kind"] in OURS and datetime.fromisoformat(alert["at"]) < at + SECOND:
                over = ProviderAlert(alert["kind"], is_over=True)
                transaction.on_commit(partial(follow_alert, connection.pk, over), robust=True)


def look_at_numbers() -> None:
    """Raise the alert of numbers whose latest sends were all accepted and none delivered."""
    numbers = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL, status=ConnectionStatus.CONNECTED
    )
    for connection in numbers.order_by("pk").iterator():
        if any(each["kind"] == SILENCE_ALERT.kind for each in connection.alerts or []):
            continue
        since = _silent_since(connection)
        if since is not None and not _was_dismissed(connection, since):
            follow_alert(connection.pk, SILENCE_ALERT)


def _silent_since(connection: Connection) -> datetime | None:
    """Return when the latest of the undelivered sends was accepted, None if deliveries come."""
    now = timezone.now()
    sent = _sent(connection, now - LOOKED_BACK)
    if any(ack >= Ack.DELIVERED for ack in sent.values_list("ack", flat=True)[:NEWEST]):
        return None
    # The row changed last when it was accepted; it may have waited long before.
    old = sent.filter(ack__in=ACCEPTED, updated_at__lte=now - AGE)
    undelivered = list(old.values_list("created_at", "updated_at")[:IN_A_ROW])
    if len(undelivered) < IN_A_ROW:
        return None
    first = min(created_at for created_at, _ in undelivered)
    if sent.filter(created_at__gte=first, ack__gte=Ack.DELIVERED).exists():
        return None
    return max(accepted_at for _, accepted_at in undelivered)


def _sent(connection: Connection, since: datetime) -> "QuerySet[Message]":
    """Return what the number sent for us, newest first."""
    sent = Message.objects.filter(connection=connection, from_me=True, created_at__gte=since)
    others = (MessageSource.OTHER, MessageSource.PHONE)
    return sent.exclude(source__in=others).order_by("-created_at")


def _was_dismissed(connection: Connection, since: datetime) -> bool:
    """Tell whether an admin dismissed the alert after the last of these sends."""
    dismissed = entries_about(connection).filter(
        action="connection.alerts_dismissed", created_at__gte=since
    )
    return any(SILENCE_ALERT.kind in each.detail.get("alerts", ()) for each in dismissed)
