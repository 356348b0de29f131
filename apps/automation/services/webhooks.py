"""Rules of outgoing webhooks (rules/automation §11)."""

import secrets
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.automation import events
from apps.automation.addresses import PasswordMissing, with_stored_password
from apps.automation.clients.base import ClientError
from apps.automation.clients.webhooks import WebhookClient
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookStop
from apps.automation.services.integrations import leads_inside
from apps.automation.services.webhook_events import envelope, note_change
from apps.billing.services import require_feature
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.leases import LeasedQuerySet
from apps.common.wakeups import wake
from apps.companies.models import Company

MOST_WEBHOOKS = 10
TEST_EVENT = "webhook.test"
# The stored length of a response, in characters.
SHOWN_ANSWER = 1000
# From this many failures in a row the webhook counts as failing, not just one event.
ILL_FROM = 3
# The due date of events of a webhook that is off.
NEVER = datetime(9999, 1, 1, tzinfo=UTC)


class WebhookNotFound(NotFound):
    """The company has no such outgoing webhook."""

    code = "ERR_NO_WEBHOOK_FOUND"
    message = "Webhook não encontrado."


class WebhookLimitReached(DomainError):
    """The company has the maximum number of outgoing webhooks."""

    status = 409
    code = "ERR_WEBHOOK_LIMIT"
    message = f"Sua empresa já tem {MOST_WEBHOOKS} webhooks. Exclua um para criar outro."


class WebhookTargetForbidden(InvalidInput):
    """The address leads into a private network."""

    code = "ERR_TARGET_FORBIDDEN"
    message = (
        "Este endereço fica numa rede interna e não pode ser chamado. "
        "Informe um endereço público, ou peça ao Suporte que o libere."
    )

    def __init__(self) -> None:
        super().__init__(fields={"url": [self.message]})


class SavedWebhook(NamedTuple):
    """A saved webhook, with its secret if this call created one; it is shown only once."""

    webhook: OutgoingWebhook
    new_secret: str = ""


def get_webhook(*, company_id: int, webhook_id: int) -> OutgoingWebhook:
    """Return a company's outgoing webhook; raises WebhookNotFound."""
    webhook = OutgoingWebhook.objects.for_company(company_id).filter(pk=webhook_id).first()
    if webhook is None:
        raise WebhookNotFound
    return webhook


def create_webhook(*, actor: User, fields: Mapping[str, Any]) -> SavedWebhook:
    """Create a webhook from fields of the model, and its secret.

    Raises PlanFeatureMissing, WebhookLimitReached and InvalidInput.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    webhook = OutgoingWebhook(company_id=company_id, secret=_new_secret())
    _apply(webhook, fields)
    with transaction.atomic():
        # Without the lock two concurrent requests could exceed the limit.
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        if OutgoingWebhook.objects.for_company(company_id).count() >= MOST_WEBHOOKS:
            raise WebhookLimitReached
        webhook.save()
        _record("webhook.created", actor, webhook)
        note_change()
        events.webhook_created(webhook)
    return SavedWebhook(webhook, webhook.secret)


def update_webhook(*, actor: User, webhook_id: int, fields: Mapping[str, Any]) -> SavedWebhook:
    """Change the given fields; switching a webhook on releases its pending events.

    Raises PlanFeatureMissing, InvalidInput and WebhookNotFound.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    with transaction.atomic():
        webhook = _locked(company_id, webhook_id)
        was_active, old_url = webhook.is_active, webhook.url
        _apply(webhook, fields)
        if webhook.is_active and not (was_active and webhook.url == old_url):
            _begin_anew(webhook)
        elif was_active and not webhook.is_active:
            webhook.stopped_by = WebhookStop.BY_PERSON
            hold_back(webhook)
        webhook.save()
        _record("webhook.updated", actor, webhook, changed=sorted(fields))
        note_change()
        events.webhook_updated(webhook)
    return SavedWebhook(webhook)


def delete_webhook(*, actor: User, webhook_id: int, ip_address: str | None = None) -> None:
    """Delete a webhook with its log and its pending events; raises WebhookNotFound."""
    company_id = actor.company_id
    with transaction.atomic():
        # The lock waits for concurrent `announce` calls, so that their rows are deleted too.
        rows = OutgoingWebhook.objects.for_company(company_id).select_for_update()
        webhook = rows.filter(pk=webhook_id).first()
        if webhook is None:
            raise WebhookNotFound
        _record("webhook.deleted", actor, webhook, ip_address=ip_address)
        webhook.delete()
        note_change()
        events.webhook_deleted(company_id=company_id, webhook_id=webhook_id)


def renew_secret(*, actor: User, webhook_id: int, ip_address: str | None = None) -> str:
    """Replace a webhook's secret and return the new one.

    The old secret is invalid from then on. Raises WebhookNotFound and PlanFeatureMissing.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    with transaction.atomic():
        webhook = _locked(company_id, webhook_id)
        webhook.secret = _new_secret()
        webhook.save(update_fields=["secret", "updated_at"])
        _record("webhook.secret_renewed", actor, webhook, ip_address=ip_address)
        events.webhook_updated(webhook)
    return webhook.secret


def run_webhook_test(*, actor: User, webhook_id: int) -> dict[str, Any]:
    """Post a signed `webhook.test` now; return the shape of `WebhookTestSerializer`.

    A success ends the pause of a failing webhook. Never call it in a transaction. Raises
    WebhookNotFound and PlanFeatureMissing.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    webhook = get_webhook(company_id=company_id, webhook_id=webhook_id)
    event_id, at = uuid.uuid4(), timezone.now()
    body = envelope(TEST_EVENT, event_id, webhook, at=at)
    body["webhook"] = {"id": webhook.pk, "name": webhook.name}
    try:
        call = client_of(webhook).post(TEST_EVENT, event_id, body)
    except ClientError as error:
        call = error.calls[-1]
    else:
        note_answer(webhook)
    return {
        "ok": not call.error,
        "statusCode": call.status_code,
        "durationMs": call.duration_ms,
        "responseText": call.response_text[:SHOWN_ANSWER],
        "error": call.error,
        **call.reason.on_wire(),
    }


def client_of(webhook: OutgoingWebhook) -> WebhookClient:
    """Return the client that posts signed events to a webhook's address."""
    return WebhookClient(url=webhook.url, secret=webhook.secret, cuts=True)


@transaction.atomic
def note_answer(webhook: OutgoingWebhook) -> None:
    """Reset the failures of a webhook that accepted an event, and release its pending events."""
    was_ill = webhook.failures >= ILL_FROM
    failing = OutgoingWebhook.objects.filter(pk=webhook.pk, is_active=True, failures__gt=0)
    if not failing.update(failures=0, failing_since=None, paused_until=None):
        return
    if was_ill:
        _unfinished(webhook).filter(attempts__gt=0).update(next_attempt_at=timezone.now())
    webhook.refresh_from_db()
    events.webhook_updated(webhook)
    wake("automation.deliver_webhooks")


def hold_back(webhook: OutgoingWebhook) -> None:
    """Postpone the pending events until the webhook is switched on.

    No sweep wakes a worker for them until then.
    """
    _unfinished(webhook).update(next_attempt_at=NEVER)


def _unfinished(webhook: OutgoingWebhook) -> "LeasedQuerySet[WebhookDelivery]":
    return WebhookDelivery.objects.unfinished().filter(webhook=webhook)


def _locked(company_id: int, webhook_id: int) -> OutgoingWebhook:
    # Workers count failures in the same row.
    rows = OutgoingWebhook.objects.for_company(company_id).select_for_update(no_key=True)
    webhook = rows.filter(pk=webhook_id).first()
    if webhook is None:
        raise WebhookNotFound
    return webhook


def _apply(webhook: OutgoingWebhook, fields: Mapping[str, Any]) -> None:
    given = dict(fields)
    if "url" in given:
        try:
            given["url"] = with_stored_password(given["url"], webhook.url)
        except PasswordMissing as error:
            sentence = "O endereço mudou: informe a senha de novo."
            raise InvalidInput(
                sentence, fields={"url": [sentence]}, rule="password_again"
            ) from error
    for name, value in given.items():
        setattr(webhook, name, value)
    if leads_inside(webhook.url):
        raise WebhookTargetForbidden


def _begin_anew(webhook: OutgoingWebhook) -> None:
    webhook.stopped_by = ""
    webhook.failures, webhook.failing_since, webhook.paused_until = 0, None, None
    _unfinished(webhook).update(next_attempt_at=timezone.now())
    wake("automation.deliver_webhooks")


def _record(
    action: str,
    actor: User,
    webhook: OutgoingWebhook,
    *,
    ip_address: str | None = None,
    **detail: Any,
) -> None:
    record(
        action=action,
        actor=actor,
        company_id=webhook.company_id,
        target=webhook,
        detail={"name": webhook.name, **detail},
        ip_address=ip_address,
    )


def _new_secret() -> str:
    return secrets.token_urlsafe(32)
