"""Deliveries of outgoing webhooks, their retries and the pauses of failing webhooks.

A worker claims a row, posts the event outside any transaction and records the result. If the worker
dies in between, the event is posted again with the same id. A failed event is retried for a day. A
webhook that fails repeatedly is paused for longer and longer. After days of failures it is switched
off and the company's admins get an e-mail; the pending events are posted when an admin switches it
on again (rules/automation §11).
"""

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.accounts.queries import users_who_may
from apps.audit.services import record
from apps.automation import events
from apps.automation.clients.base import Call, ClientError
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookStop
from apps.automation.services.calls import CallNotFound
from apps.automation.services.webhook_events import note_change
from apps.automation.services.webhooks import (
    ILL_FROM,
    SHOWN_ANSWER,
    client_of,
    get_webhook,
    hold_back,
    note_answer,
)
from apps.billing.services import require_feature
from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.companies.queries import zone_of
from apps.mail.services import write_mail

logger = logging.getLogger(__name__)

DELIVERIES = LeasedWork(
    model=WebhookDelivery,
    lease_setting="WEBHOOK_LEASE_SECONDS",
    partition=("webhook_id", "contact_id"),
    only="work.webhook_id IN (%(awake)s) AND work.company_id NOT IN (%(busy)s)",
)
# The first failure after this ends an event.
GIVEN_UP_AFTER = timedelta(days=1)
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
# More attempts than fit into GIVEN_UP_AFTER.
MAX_ATTEMPTS = 100
LONGEST_REST = 300.0
SWITCHED_OFF_AFTER = timedelta(days=3)


class DeliveryUnderWay(DomainError):
    """A worker is posting the event now."""

    status = 409
    code = "ERR_DELIVERY_UNDER_WAY"
    message = "Esta entrega está sendo feita agora. Aguarde o resultado."


class WebhookIsOff(DomainError):
    """The webhook is switched off."""

    status = 409
    code = "ERR_WEBHOOK_OFF"
    message = "Este webhook está desligado. Ligue-o para enviar de novo."


def deliver_due(*, limit: int) -> int:
    """Claim up to `limit` due events and post them; return the number of claimed ones.

    A webhook gets the events about one contact in order. Never call it inside a transaction.
    """
    with DELIVERIES.claimed(limit, awake=_awake(), busy=_busy_companies()) as claim:
        stopped: set[int] = set()
        for row in claim.rows().select_related("webhook") if claim.ids else ():
            if row.webhook_id not in stopped and not _deliver(row, claim):
                stopped.add(row.webhook_id)
        if stopped:
            claim.release()
        return len(claim.ids)


def _awake() -> "QuerySet[OutgoingWebhook, Any]":
    running = OutgoingWebhook.objects.running()
    return running.exclude(paused_until__gt=timezone.now()).values("pk")


def _busy_companies() -> "QuerySet[WebhookDelivery, Any]":
    """Return the companies that already use their share of the threads."""
    return (
        WebhookDelivery.objects.held()
        .values("company_id")
        .annotate(count=Count("pk"))
        .filter(count__gte=settings.WEBHOOKS_PER_COMPANY)
        .values_list("company_id", flat=True)
    )


def _deliver(row: WebhookDelivery, claim: Claim[WebhookDelivery]) -> bool:
    """Post one event; return whether the receiver accepted it."""
    try:
        row.begin(MAX_ATTEMPTS)
        call = client_of(row.webhook).post(row.event, row.event_id, row.payload)
    except ClientError as error:
        _record_failure(row, claim, error)
        return False
    except Exception:
        logger.exception("Webhook delivery %s failed by a fault of our own", row.pk)
        _record_failure(row, claim, ClientError("", reason=ReasonCode.INTERNAL))
        return False
    with transaction.atomic():
        if claim.finish(row, **_columns(call)):
            events.webhook_delivered(row)
        if row.webhook.failures:
            note_answer(row.webhook)
    return True


def _record_failure(
    row: WebhookDelivery, claim: Claim[WebhookDelivery], error: ClientError
) -> None:
    now = timezone.now()
    call = error.calls[-1] if error.calls else None
    columns = _columns(call) if call else {"reason_code": error.reason.code}
    with transaction.atomic():
        if now - row.created_at > GIVEN_UP_AFTER:
            is_recorded = claim.fail(row, error.message, **columns)
        else:
            pause = retry_delay(row.attempts, first=FIRST_PAUSE, longest=LONGEST_PAUSE)
            until = now + timedelta(seconds=max(pause, error.retry_after or 0))
            is_recorded = claim.retry_later(row, until, error.message, **columns)
        if is_recorded:
            _count_failure(row.webhook_id)
            events.webhook_delivered(row)


def _columns(call: Call) -> dict[str, Any]:
    return {
        "status_code": call.status_code,
        "response_text": call.response_text[:SHOWN_ANSWER],
        "reason_code": call.reason.code,
        "reason_detail": call.reason.detail,
        "duration_ms": max(call.duration_ms, 0),
    }


def _count_failure(webhook_id: int) -> None:
    """Count a failed attempt; pause a failing webhook, and switch it off after days."""
    now = timezone.now()
    rows = OutgoingWebhook.objects.filter(pk=webhook_id, is_active=True)
    if not rows.update(
        failures=F("failures") + 1, failing_since=Coalesce("failing_since", Value(now))
    ):
        return
    webhook = rows.select_related("company").get()
    if webhook.failing_since and now - webhook.failing_since > SWITCHED_OFF_AFTER:
        _switch_off(webhook)
    elif webhook.failures >= ILL_FROM:
        rest = retry_delay(webhook.failures - ILL_FROM + 1, longest=LONGEST_REST)
        webhook.paused_until = now + timedelta(seconds=rest)
        webhook.save(update_fields=["paused_until"])
        if webhook.failures == ILL_FROM:
            events.webhook_updated(webhook)


def _switch_off(webhook: OutgoingWebhook) -> None:
    """Switch off a webhook that has failed for days, and tell the company's admins."""
    failing_since = webhook.failing_since
    webhook.is_active = False
    webhook.stopped_by = WebhookStop.BY_FAILURES
    webhook.save(update_fields=["is_active", "stopped_by", "updated_at"])
    hold_back(webhook)
    record(
        action="webhook.stopped",
        actor=None,
        company_id=webhook.company_id,
        target=webhook,
        detail={"name": webhook.name},
    )
    note_change()
    events.webhook_updated(webhook)
    zone = zone_of(webhook.company_id)
    for user in users_who_may(webhook.company_id, Permission.PROGRAMS):
        write_mail(
            company_id=webhook.company_id,
            recipient=user.email,
            template="automation/mail/webhook_stopped",
            language="",
            name=user.name,
            webhook=webhook.name,
            since=failing_since and failing_since.astimezone(zone),
        )


def get_delivery(*, company_id: int, webhook_id: int, delivery_id: int) -> WebhookDelivery:
    """Return a delivery of a webhook's log; raises WebhookNotFound, CallNotFound."""
    webhook = get_webhook(company_id=company_id, webhook_id=webhook_id)
    row = WebhookDelivery.objects.filter(webhook=webhook, pk=delivery_id).first()
    if row is None:
        raise CallNotFound
    return row


def retry_delivery(*, actor: User, webhook_id: int, delivery_id: int) -> WebhookDelivery:
    """Post an event again now with the same id, whatever its earlier result.

    Raises WebhookNotFound, CallNotFound, PlanFeatureMissing, WebhookIsOff, DeliveryUnderWay.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    with transaction.atomic():
        row = get_delivery(company_id=company_id, webhook_id=webhook_id, delivery_id=delivery_id)
        if not OutgoingWebhook.objects.filter(pk=row.webhook_id, is_active=True).update(
            paused_until=None
        ):
            raise WebhookIsOff
        rows = WebhookDelivery.objects.filter(pk=row.pk).exclude(state=LeaseState.CLAIMED)
        if not rows.start_over(timezone.now()):
            raise DeliveryUnderWay
        row.refresh_from_db()
        events.webhook_delivered(row)
        wake("automation.deliver_webhooks")
    return row
