"""The health of a number: last messages, failures, pending work (rules/connections §11)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min
from django.utils import timezone

from apps.connections.models import Connection, PhoneSync
from apps.connections.queries import Portfolio
from apps.tickets.models import Ack, Delivery, DeliveryKind, Message

FAILURES_WITHIN = timedelta(hours=24)
# Refusals in the provider's own words may all differ.
MOST_REASONS = 10


@dataclass(frozen=True)
class Failures:
    """The count of messages that failed for one reason; `sentence` is the reason in Portuguese."""

    reason_code: str
    reason_detail: str
    sentence: str
    count: int


@dataclass(frozen=True)
class Health:
    """The health of a number, read in five queries.

    `portfolio` are the numbers that share its limit, and `used` are the people who count towards it
    now; both are None for a QR session.
    """

    connection: Connection
    last_in_at: datetime | None
    last_out_at: datetime | None
    last_out_ack: int | None
    failed: int
    failures: list[Failures]
    waiting: int
    waiting_since: datetime | None
    phone: list[PhoneSync]
    portfolio: Portfolio | None
    used: int | None


def health_of(connection: Connection, *, portfolio: Portfolio | None, used: int | None) -> Health:
    messages = Message.objects.for_company(connection.company_id).filter(connection=connection)
    newest = messages.order_by("-created_at").values("created_at", "ack")
    last_in = newest.filter(from_me=False).first()
    last_out = newest.filter(from_me=True).first()
    since = timezone.now() - FAILURES_WITHIN
    failed = (
        messages.filter(from_me=True, created_at__gte=since, ack=Ack.ERROR)
        .order_by()
        .values("reason_code", "reason_detail")
        .annotate(sentence=Max("error_reason"), count=Count("pk"))
        .order_by("-count", "reason_code", "reason_detail")
    )
    rows = list(failed)
    waiting: dict[str, Any] = (
        Delivery.objects.unfinished()
        .filter(connection=connection, kind=DeliveryKind.SEND)
        .aggregate(count=Count("pk"), since=Min("created_at"))
    )
    return Health(
        connection=connection,
        last_in_at=last_in["created_at"] if last_in else None,
        last_out_at=last_out["created_at"] if last_out else None,
        last_out_ack=last_out["ack"] if last_out else None,
        failed=sum(row["count"] for row in rows),
        failures=[Failures(**row) for row in rows[:MOST_REASONS]],
        waiting=waiting["count"],
        waiting_since=waiting["since"],
        phone=list(PhoneSync.objects.filter(connection=connection).order_by("pk")),
        portfolio=portfolio,
        used=used,
    )
