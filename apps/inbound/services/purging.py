"""Deletes rows of finished work; the conversations keep its results."""

from datetime import datetime, timedelta

from django.db import connection as database
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.automation.models import IntegrationCall, WebhookDelivery
from apps.common.leases import LeaseState
from apps.desk.models import RuleRun
from apps.inbound.models import InboundEvent
from apps.mail.models import Mail
from apps.tickets.models import (
    ApiSend,
    BotTurn,
    Delivery,
    DeliveryKind,
    NoteMention,
    TicketStatus,
)

BATCH = 1000
# People see the e-mails that they wrote in their list for this long (rules/emails §4).
EMAILS_KEPT = timedelta(days=365)
# The list of a user's mentions shows no older ones (rules/tickets §16).
MENTIONS_KEPT = timedelta(days=90)
# Parked events and mails stay for the super user; a failed delivery stays because a resend repeats
# it.
DONE_EVENTS = Q(state=LeaseState.DONE)
# Deliveries that expired are never sent any more.
DONE_MAILS = Q(is_written=False) & (
    Q(state=LeaseState.DONE) | Q(state=LeaseState.FAILED, useless_at__isnull=False)
)
DONE_DELIVERIES = Q(state=LeaseState.DONE) | (
    Q(state=LeaseState.FAILED) & ~Q(kind=DeliveryKind.SEND)
)
# A moment starts a rule once, as long as the ticket is live.
DONE_RUNS = Q(anchor="") | Q(ticket__status=TicketStatus.CLOSED)
DONE_TURNS = Q(state__in=[LeaseState.DONE, LeaseState.FAILED])
# A model, the column of its creation time, and the condition of finished rows.
Table = tuple[type[models.Model], str, Q]


def tables_of_logs(mails: Q = DONE_MAILS) -> list[Table]:
    """Return the tables of work and logs, in the order in which they are purged."""
    return [
        (InboundEvent, "received_at", DONE_EVENTS),
        (Delivery, "created_at", DONE_DELIVERIES),
        # The log refers to turns. It is deleted first, so that fewer references have to be cleared.
        (IntegrationCall, "created_at", Q()),
        (BotTurn, "created_at", DONE_TURNS),
        (Mail, "created_at", mails),
        (ApiSend, "created_at", Q()),
        # Events that wait for a webhook which stayed switched off this long are dropped.
        (WebhookDelivery, "created_at", Q()),
        (RuleRun, "at", DONE_RUNS),
    ]


def purge_finished(*, before: datetime) -> int:
    """Delete finished rows from before a moment; return how many.

    They are events, deliveries, turns, logs, and mentions that no list shows any more.
    Unfinished rows stay. Each table is walked from its oldest row in short statements, up to the
    first row that is younger.
    """
    written = Q(is_written=True, created_at__lt=timezone.now() - EMAILS_KEPT)
    unlisted = Q(created_at__lt=timezone.now() - MENTIONS_KEPT)
    tables: list[Table] = [
        *tables_of_logs(DONE_MAILS | written),
        (NoteMention, "created_at", unlisted),
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
