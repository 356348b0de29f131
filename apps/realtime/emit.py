"""The one way a process tells browsers something; called by `events.py` files alone."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps.common.renderers import to_json
from apps.realtime.backplane import event_message, publisher, recheck_message
from apps.realtime.rooms import company_room


def emit(
    event: str,
    payload: dict[str, Any],
    *,
    company_id: int,
    rooms: Sequence[str] | None = None,
    raw: bool = False,
) -> None:
    """Publish `company-{company_id}-{event}` after commit, to the company's room or to `rooms`.

    `raw` sends the event under its bare name. The payload is fixed now, in the REST answers' form.
    A Redis that is down is logged and made good for later; it never fails the caller.
    """
    name = event if raw else f"company-{company_id}-{event}"
    targets = [company_room(company_id)] if rooms is None else list(rooms)
    if not targets:
        return
    message = event_message(name, to_json(payload), targets)
    transaction.on_commit(lambda: publisher.publish_event(company_id, message), robust=True)


def recheck_user(user_id: int) -> None:
    """Have a user's sockets judged anew after commit.

    Call it when the token version, profile, queues or the account's being enabled changed: sockets
    of a refused session are cut after the few seconds that the `auth` event needs, the others
    leave and join rooms as the change asks.
    """
    _recheck(recheck_message(user_id=user_id))


def recheck_company(company_id: int) -> None:
    """Have a company's sockets judged anew after commit (spy setting, company switched off)."""
    _recheck(recheck_message(company_id=company_id))


def _recheck(message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: publisher.publish_control(message), robust=True)
