"""The simulator's webhook sender: signed, in order per number, with retries.

A webhook is retried until the product responds 200. A thread of the process that stored it posts it
at once (`services.background`).
"""

import hashlib
import hmac
import json
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import httpx
from django.conf import settings
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from apps.common.leases import LeasedWork, LeaseState
from apps.simulator.graph.payloads import notification
from apps.simulator.models import FaultKind, SimNumber, SimWebhook
from apps.simulator.services.background import LONGEST_PAUSE_SECONDS, Background
from apps.simulator.services.faults import take_fault

TIMEOUT_SECONDS = 10
BATCH = 50
WEBHOOKS = LeasedWork(
    model=SimWebhook,
    lease_setting="INBOUND_LEASE_SECONDS",
    partition=("number_id",),
)
KEPT_POSTED = 500


def enqueue(
    number: SimNumber,
    value: dict[str, Any],
    field: str = "messages",
    *,
    at: datetime | None = None,
) -> None:
    """Store a webhook, which is posted after commit; twice while the duplicates fault is set.

    With `at` it is not posted before that time.
    """
    body = json.dumps(notification(number, value, field), ensure_ascii=False)
    copies = 2 if take_fault(FaultKind.DUPLICATE_WEBHOOKS, number) else 1
    for _ in range(copies):
        SimWebhook.objects.create(number=number, body=body, next_attempt_at=at or timezone.now())
    transaction.on_commit(start_posting)


def signature(body: bytes) -> str:
    """Return the value of X-Hub-Signature-256 for these bytes."""
    digest = hmac.new(settings.META_APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return f"sha256={digest}"


def webhook_address() -> str:
    """Return the product's webhook address, on the local port."""
    return f"http://127.0.0.1:{settings.PORT}/webhooks/whatsapp"


def pause_seconds(attempts: int) -> float:
    """Return the back-off after this many failures: 0.5, 1, 2 … 30 seconds."""
    return float(min(LONGEST_PAUSE_SECONDS, 0.5 * 2 ** min(attempts - 1, 10)))


def next_due() -> datetime | None:
    """Return when the first waiting webhook is due, or None."""
    waiting = SimWebhook.objects.unfinished()
    earliest: datetime | None = waiting.aggregate(at=Min("next_attempt_at"))["at"]
    return earliest


def post_due() -> int:
    """Post due webhooks, in order per number; returns the number of attempts."""
    tried = 0
    while posted := _post_some():
        tried += posted
    if tried:
        _forget_old()
    return tried


@cache
def _client() -> httpx.Client:
    """Return the process's only client: creating one loads all CA certificates."""
    return httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False)


def _post_some() -> int:
    tried = 0
    waiting: set[int] = set()  # numbers with a failed webhook, whose later ones must wait
    with WEBHOOKS.claimed(BATCH) as claim:
        for webhook in claim.rows():
            if webhook.number_id in waiting:
                continue
            tried += 1
            if error := _post(webhook):
                waiting.add(webhook.number_id)
                pause = timedelta(seconds=pause_seconds(webhook.attempts))
                claim.retry_later(webhook, timezone.now() + pause, error)
            else:
                claim.finish(webhook)
        if waiting:
            claim.release()
    return tried


def _post(webhook: SimWebhook) -> str:
    """Post one webhook; returns the error, or ''."""
    body = webhook.body.encode()
    headers = {"Content-Type": "application/json", "X-Hub-Signature-256": signature(body)}
    try:
        answer = _client().post(webhook_address(), content=body, headers=headers)
    except httpx.HTTPError as failure:
        return f"{type(failure).__name__}: {failure}"
    return "" if answer.status_code == 200 else f"HTTP {answer.status_code}"


def _forget_old() -> None:
    posted = SimWebhook.objects.filter(state=LeaseState.DONE)
    newest = posted.order_by("-id").values_list("id", flat=True)[KEPT_POSTED : KEPT_POSTED + 1]
    limit = next(iter(newest), None)
    if limit is not None:
        posted.filter(pk__lte=limit).delete()


_poster = Background("simulator", post_due, next_due)


def start_posting() -> None:
    """Start the thread that posts webhooks."""
    _poster.start()
