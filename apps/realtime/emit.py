"""The only way to send an event to browsers; only `events.py` files call it."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from django.db import transaction
from rest_framework.serializers import Field

from apps.common.renderers import to_json
from apps.realtime.backplane import (
    ALL_COMPANIES,
    ANY_COMPANY,
    event_message,
    publisher,
    recheck_message,
)
from apps.realtime.rooms import EVERYONE, company_room, role_room

Fields = Mapping[str, Field[Any, Any, Any, Any]]


class LiveEvent:
    """What browsers hear under one name, declared once in the `events.py` of its app.

    `actions` gives the fields of the payload beside `action`, in the words of serializers: a record
    is the serializer of the REST answer. Tests check every payload against it, and the OpenAPI
    schema shows it (`apps.realtime.schema`). It leaves as `company-{company_id}-{name}`, and also
    under `also`, the name that older browsers listen for; with `is_common` as `company-{name}`, for
    it is no company's. One whose name ends in braces (`chat-{chatId}`) leaves as `about` a record.
    `needs` is the permission of those who hear it (rules/accounts §2); without it everybody does.
    """

    def __init__(
        self,
        name: str,
        *,
        also: str = "",
        is_common: bool = False,
        needs: str = "",
        **actions: Fields,
    ) -> None:
        self.name = name
        self.also = also
        self.is_common = is_common
        self.needs = needs
        self.actions = actions
        self.subject: int | None = None

    def about(self, subject: int) -> "LiveEvent":
        """Return the event of one record, whose id takes the place of the braces in the name."""
        event = copy(self)
        event.subject = subject
        return event

    def names(self, company_id: int) -> list[str]:
        """Return the names under which a company's browsers hear it."""
        name = self.name if self.subject is None else f"{self.name.partition('{')[0]}{self.subject}"
        company = ANY_COMPANY if company_id == ALL_COMPANIES else company_id
        own = f"company-{name}" if self.is_common else f"company-{company}-{name}"
        return [own, self.also.format(company_id=company)] if self.also else [own]

    def room(self, company_id: int) -> str:
        """Return the room of everyone in a company who hears it."""
        return role_room(company_id, self.needs) if self.needs else company_room(company_id)


def emit(
    event: LiveEvent,
    action: str,
    payload: Mapping[str, Any],
    *,
    company_id: int,
    rooms: Sequence[str] | None = None,
) -> None:
    """Publish an event after commit, to the event's room or to `rooms`.

    The payload is encoded now, in the form of REST answers. An outage of Redis is logged and
    recovered from later; it never fails the caller.
    """
    targets = [event.room(company_id)] if rooms is None else list(rooms)
    if targets:
        _publish(event, {"action": action, **payload}, company_id, targets)


def emit_to_all(event: LiveEvent, action: str, payload: Mapping[str, Any]) -> None:
    """Publish an event after commit to the browsers of every company, as `emit` does to one's."""
    _publish(event, {"action": action, **payload}, ALL_COMPANIES, [EVERYONE])


def _publish(event: LiveEvent, payload: dict[str, Any], company_id: int, rooms: list[str]) -> None:
    data = to_json(payload)
    name, *older = event.names(company_id)
    messages = [
        event_message(name, data, rooms, kind=event.name),
        *(event_message(each, data, rooms) for each in older),
    ]

    def publish() -> None:
        for message in messages:
            publisher.publish_event(company_id, message)

    transaction.on_commit(publish, robust=True)


def recheck_user(user_id: int) -> None:
    """Authorize a user's sockets again after commit.

    Call it when the token version, profile, queues or enabled state of the account changed. Sockets
    of a refused session are closed after the few seconds that the `auth` event needs; the others
    leave and join rooms according to the change.
    """
    _recheck(user_id=user_id)


def recheck_company(company_id: int) -> None:
    """Authorize a company's sockets again after commit (spy setting, company switched off)."""
    _recheck(company_id=company_id)


def recheck_token(token_id: int) -> None:
    """Authorize the sockets of a service token again after commit."""
    _recheck(token_id=token_id)


def _recheck(
    *, company_id: int | None = None, user_id: int | None = None, token_id: int | None = None
) -> None:
    message = recheck_message(company_id=company_id, user_id=user_id, token_id=token_id)
    transaction.on_commit(lambda: publisher.publish_control(message), robust=True)
