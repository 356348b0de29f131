"""Events of outgoing webhooks, written in the transaction of the change that they report.

Each process caches for KNOWN_SECONDS which company listens to which event. So companies without
webhooks, which are most, cost no query (rules/automation §11).
"""

import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import connection as database
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookEvent
from apps.common.wakeups import wake
from apps.contacts.models import Contact
from apps.contacts.services.moving import Merged

PAYLOAD_VERSION = 1
# A new webhook may miss the events of at most this time after it was saved.
KNOWN_SECONDS = 2.0


class _Known:
    """A cache, per process, of the events that each company's webhooks get."""

    def __init__(self) -> None:
        self._events: dict[int, frozenset[str]] = {}
        self._until = 0.0

    def hears(self, company_id: int, event: str) -> bool:
        """Tell whether a webhook of the company gets the event.

        Costs at most one query every KNOWN_SECONDS.
        """
        now = time.monotonic()
        if now >= self._until:
            self._until = now + KNOWN_SECONDS
            self._events = self._read()
        return event in self._events.get(company_id, ())

    def forget(self) -> None:
        """Read the webhooks again at the next call."""
        self._until = 0.0

    def be_sure_of_none(self) -> None:
        """Assume that there are no webhooks until `forget`. For tests, whose tables are empty."""
        self._events, self._until = {}, float("inf")

    def _read(self) -> dict[int, frozenset[str]]:
        events: dict[int, frozenset[str]] = {}
        running = OutgoingWebhook.objects.running()
        for company_id, chosen in running.values_list("company_id", "events"):
            events[company_id] = events.get(company_id, frozenset()) | frozenset(chosen)
        return events


known = _Known()


@dataclass(frozen=True)
class Occurrence:
    """An event to report; `told` are the keys of its payload, as JSON values.

    Until `waits_until` the event and the later ones about the same contact are held back, unless
    `complete_message` releases it earlier.
    """

    event: WebhookEvent
    company_id: int
    contact_id: int
    told: Mapping[str, Any]
    at: datetime = field(default_factory=timezone.now)
    waits_until: datetime | None = None


def announce(occurrences: Sequence[Occurrence]) -> None:
    """Write the deliveries of events; call it in the transaction of the change.

    Events about one contact are posted in the given order.
    """
    if not occurrences:
        return
    webhooks = _held({each.company_id for each in occurrences})
    rows = []
    for each in occurrences:
        event_id = uuid.uuid4()
        for webhook in webhooks.get(each.company_id, ()):
            if each.event in webhook.events:
                row = WebhookDelivery(
                    company_id=each.company_id,
                    webhook=webhook,
                    contact_id=each.contact_id,
                    event=each.event,
                    event_id=event_id,
                    payload={**envelope(each.event, event_id, webhook, at=each.at), **each.told},
                    created_at=each.at,
                )
                if each.waits_until is not None:
                    row.next_attempt_at = each.waits_until
                rows.append(row)
    if rows:
        WebhookDelivery.objects.bulk_create(rows)
        wake("automation.deliver_webhooks")


def envelope(
    event: str, event_id: uuid.UUID, webhook: OutgoingWebhook, *, at: datetime
) -> dict[str, Any]:
    """Return the keys that every payload has; the webhook's company must be loaded."""
    company = webhook.company
    return {
        "version": PAYLOAD_VERSION,
        "id": str(event_id),
        "event": event,
        "occurredAt": wire_time(at),
        "company": {"id": company.pk, "name": company.name},
    }


def complete_message(*, contact_id: int, message_id: int, told: Mapping[str, Any]) -> None:
    """Release the event of a message whose file was fetched or is given up.

    `told` replaces the payload's `message`.
    """
    rows = WebhookDelivery.objects.unfinished().filter(
        contact=contact_id,
        event__in=[WebhookEvent.MESSAGE_RECEIVED, WebhookEvent.MESSAGE_SENT],
        next_attempt_at__gt=timezone.now(),
        attempts=0,
    )
    for row in rows:
        if row.payload["message"]["id"] == message_id:
            WebhookDelivery.objects.filter(pk=row.pk, attempts=0).update(
                payload=row.payload | {"message": dict(told)}, next_attempt_at=timezone.now()
            )
            wake("automation.deliver_webhooks")


def contacts_created(contacts: Sequence[Contact]) -> None:
    """Announce new contacts, except groups."""
    event = WebhookEvent.CONTACT_CREATED
    heard = [each for each in contacts if known.hears(each.company_id, event) and not each.is_group]
    prefetch_related_objects(heard, "extra_info")
    announce(
        [
            Occurrence(event, each.company_id, each.pk, {"contact": contact_part(each)})
            for each in heard
        ]
    )


def rule_ran(contact: Contact, told: Mapping[str, Any]) -> bool:
    """Announce what a rule or a macro wants webhooks to hear; returns whether any of them does."""
    event = WebhookEvent.RULE_RAN
    if not known.hears(contact.company_id, event):
        return False
    announce([Occurrence(event, contact.company_id, contact.pk, told)])
    return True


def move_deliveries(merged: Merged) -> None:
    """Move the deliveries of a merged contact, which would be deleted with it.

    Payloads stay the same. It runs after the hooks that announce further events of the contact.
    """
    merged.move(WebhookDelivery, "contact")


def return_deliveries(merged: Merged) -> None:
    """Undo `move_deliveries`."""
    merged.move_back(WebhookDelivery, "contact")


def contact_part(contact: Contact) -> dict[str, Any]:
    """Return a contact as payloads show it; prefetch `extra_info` when there are many contacts."""
    return {
        "id": contact.pk,
        "name": contact.name,
        "number": contact.number,
        "username": contact.username,
        "userId": contact.user_id or contact.lid or "",
        "email": contact.email,
        "extraInfo": [
            {"name": each.name, "value": each.value} for each in contact.extra_info.all()
        ],
    }


def wire_time(moment: datetime) -> str:
    """Return a moment in the payloads' format: UTC, with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def note_change() -> None:
    """Invalidate this process's cache now and again after the commit."""
    known.forget()
    transaction.on_commit(known.forget, robust=True)


def _held(company_ids: Iterable[int]) -> dict[int, list[OutgoingWebhook]]:
    """Return the companies' running webhooks and lock them against deletion until the commit.

    The deletion of a webhook waits for this transaction. Otherwise the new rows would refer to a
    deleted webhook.
    """
    rows = OutgoingWebhook.objects.running().filter(company__in=company_ids)
    webhooks = {row.pk: row for row in rows.select_related("company").order_by("pk")}
    if webhooks and database.vendor == "postgresql":
        # The ORM does not support FOR KEY SHARE, the lock that a foreign key takes. It blocks
        # deletions, but no other changes of the row.
        with database.cursor() as cursor:
            cursor.execute(
                "SELECT id FROM automation_outgoingwebhook WHERE id = ANY(%s) FOR KEY SHARE",
                [list(webhooks)],
            )
            there = {pk for (pk,) in cursor.fetchall()}
        webhooks = {pk: row for pk, row in webhooks.items() if pk in there}
    found: dict[int, list[OutgoingWebhook]] = {}
    for row in webhooks.values():
        found.setdefault(row.company_id, []).append(row)
    return found
