"""Forgetting the work that is done: the conversations keep what came of it."""

from datetime import datetime, timedelta

from django.db import connection as database
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.automation.models import IntegrationCall, WebhookDelivery
from apps.common.leases import LeaseState
from apps.inbound.models import InboundEvent
from apps.mail.models import Mail
from apps.tickets.models import (
    ApiSend,
    BotTurn,
    Delivery,
    DeliveryKind,
)

BATCH = 1000
# What people wrote is in their list that long (rules/emails §4).
EMAILS_KEPT = timedelta(days=365)
# Parked events and mails wait for the super user. A failed send is what a later resend repeats.
DONE_EVENTS = Q(state=LeaseState.DONE)
# What could not be sent in time nobody sends any more.
DONE_MAILS = Q(is_written=False) & (
    Q(state=LeaseState.DONE) | Q(state=LeaseState.FAILED, useless_at__isnull=False)
)
DONE_DELIVERIES = Q(state=LeaseState.DONE) | (
    Q(state=LeaseState.FAILED) & ~Q(kind=DeliveryKind.SEND)
)
DONE_TURNS = Q(state__in=[LeaseState.DONE, LeaseState.FAILED])
# A model, the column that says when a row was made, and what is done with.
Table = tuple[type[models.Model], str, Q]


def purge_finished(*, before: datetime) -> int:
    """Delete what was received, delivered, answered and logged before a moment; returns how many.

    What is not done with stays. It walks from the oldest row in short statements and ends at the
    first that is younger.
    """
    written = Q(is_written=True, created_at__lt=timezone.now() - EMAILS_KEPT)
    tables: list[Table] = [
        (InboundEvent, "received_at", DONE_EVENTS),
        (Delivery, "created_at", DONE_DELIVERIES),
        # The log names its turns: it goes first, and fewer rows are to be changed.
        (IntegrationCall, "created_at", Q()),
        (BotTurn, "created_at", DONE_TURNS),
        (Mail, "created_at", DONE_MAILS | written),
        (ApiSend, "created_at", Q()),
        # What waits for a webhook that nobody switched on in that time is news to nobody.
        (WebhookDelivery, "created_at", Q()),
    ]
    return sum(_purge(*table, before) for table in _with_old_rows(tables, before))


def _with_old_rows(tables: list[Table], before: datetime) -> list[Table]:
    """Return the tables whose oldest row is from before a moment, in one query for all."""
    ages = ", ".join(
        f"(SELECT {made_at} < %s FROM {model._meta.db_table} ORDER BY id LIMIT 1)"  # noqa: S608
        for model, made_at, _ in tables
    )
    moment = database.ops.adapt_datetimefield_value(before)
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {ages}", [moment] * len(tables))
        return [table for table, is_old in zip(tables, cursor.fetchone(), strict=True) if is_old]


def _purge(model: type[models.Model], made_at: str, done: Q, before: datetime) -> int:
    rows = model._default_manager
    purged, last, is_old = 0, 0, True
    while is_old:
        page = list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", made_at)[:BATCH])
        if not page:
            break
        old = rows.filter(done, pk__gt=last, pk__lte=page[-1][0], **{f"{made_at}__lt": before})
        purged += old.delete()[0]
        last, is_old = page[-1][0], page[-1][1] < before
    return purged
