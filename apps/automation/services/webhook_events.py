"""What outgoing webhooks are told of: an event is written with the change that it tells of.

A company to which nothing is posted, as most, costs no query: each process knows for seconds who
listens to what (rules/automation §11).
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
# A new webhook is told of nothing for no longer than this after it was saved.
KNOWN_SECONDS = 2.0


class _Known:
    """Which events of which companies somebody listens to, as this process read it last."""

    def __init__(self) -> None:
        self._events: dict[int, frozenset[str]] = {}
        self._until = 0.0

    def hears(self, company_id: int, event: str) -> bool:
        """Tell whether an event of a company is to be told; one query every two seconds."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + KNOWN_SECONDS
            self._events = self._read()
        return event in self._events.get(company_id, ())

    def forget(self) -> None:
        """Read anew when somebody asks next."""
        self._until = 0.0

    def be_sure_of_none(self) -> None:
        """Take it that nobody listens until `forget`: a test's tables are empty."""
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
    """Something that happened; `told` are the payload's own keys, JSON values alone.

    `waits_until`: it is posted then, with what is behind it of the same contact, unless
    `complete_message` has it posted before.
    """

    event: WebhookEvent
    company_id: int
    contact_id: int
    told: Mapping[str, Any]
    at: datetime = field(default_factory=timezone.now)
    waits_until: datetime | None = None


def announce(occurrences: Sequence[Occurrence]) -> None:
    """Write what is to be posted to those who listen; call it in the transaction of the deed.

    Occurrences of one contact are posted in the order in which they are given.
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
    """Return the keys that every event has; the webhook's company is at hand."""
    company = webhook.company
    return {
        "version": PAYLOAD_VERSION,
        "id": str(event_id),
        "event": event,
        "occurredAt": wire_time(at),
        "company": {"id": company.pk, "name": company.name},
    }


def complete_message(*, contact_id: int, message_id: int, told: Mapping[str, Any]) -> None:
    """Have the event of a message posted now that its file is here, or will not come.

    `told` takes the place of the payload's `message`.
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
    """Announce new contacts; groups are none."""
    event = WebhookEvent.CONTACT_CREATED
    heard = [each for each in contacts if known.hears(each.company_id, event) and not each.is_group]
    prefetch_related_objects(heard, "extra_info")
    announce(
        [
            Occurrence(event, each.company_id, each.pk, {"contact": contact_part(each)})
            for each in heard
        ]
    )


def move_deliveries(merged: Merged) -> None:
    """Keep what is to be posted of a contact that becomes another: it would go with it."""
    merged.move(WebhookDelivery, "contact")


def return_deliveries(merged: Merged) -> None:
    """Give it back to who is another contact after all."""
    merged.move_back(WebhookDelivery, "contact")


def contact_part(contact: Contact) -> dict[str, Any]:
    """Return a contact as every payload tells of it; prefetch its extra info for many."""
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
    """Return a moment as payloads write it: UTC, with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def note_change() -> None:
    """Have this process know at once what became of a company's webhooks."""
    known.forget()
    transaction.on_commit(known.forget, robust=True)


def _held(company_ids: Iterable[int]) -> dict[int, list[OutgoingWebhook]]:
    """Return the companies' running webhooks; until commit none of them is deleted.

    Who deletes one waits for those that are just writing to it: their rows would refer to nothing.
    """
    rows = OutgoingWebhook.objects.running().filter(company__in=company_ids)
    webhooks = {row.pk: row for row in rows.select_related("company").order_by("pk")}
    if webhooks and database.vendor == "postgresql":
        # The ORM has no name for the lock that a foreign key takes: it holds up deletions alone.
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
