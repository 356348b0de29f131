"""Stores what a provider reported before it is handled (rules/inbound §1)."""

import logging
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.bulk import insert_row
from apps.common.compiled_queries import CompiledQuery
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.inbound import InboundNotice
from apps.connections.providers.official.standby import HANDOVERS, STANDBY
from apps.connections.providers.official.webhook import UNKNOWN
from apps.inbound.models import InboundEvent

logger = logging.getLogger(__name__)
# Kept for the operator, unhandled, if no connection is theirs.
KEPT_KINDS = frozenset({UNKNOWN, STANDBY, HANDOVERS})


def _routed(wanted: Q) -> "QuerySet[Connection, Any]":
    verified = Connection.objects.filter(provider=ProviderKind.OFFICIAL, verified_at__isnull=False)
    return verified.filter(wanted).order_by("-pk").values_list("phone_number_id", "waba_id", "pk")


# Nearly every notification is about one number.
_OF_NUMBER = CompiledQuery(lambda number_text: _routed(Q(phone_number_id=number_text)))


def _routes(routed: Sequence[tuple[str, InboundNotice]]) -> dict[str, int]:
    """Return connection ids by phone_number_id and by 'waba:' + account, in one query.

    A number belongs to the connection whose token was verified for it (rules/connections §2).
    Reports about an account, not a number, go to the account's first connection.
    """
    numbers = {number for number, _ in routed if number}
    accounts = {
        str(notice.payload.get("waba_id") or "") for number, notice in routed if not number
    } - {""}
    if len(numbers) == 1 and not accounts:
        rows = _OF_NUMBER.rows(number_text=next(iter(numbers)))
    else:
        rows = list(_routed(Q(phone_number_id__in=numbers) | Q(waba_id__in=accounts)))
    routes: dict[str, int] = {}
    for number, account, pk in rows:
        routes[number or ""] = pk
        routes[f"waba:{account}"] = pk
    return routes


def store_notices(routed: Sequence[tuple[str, InboundNotice]]) -> int:
    """Store official notices, each with the number it is for; returns how many had a connection.

    All or nothing; what is already stored stays as it is. A number that is no connection of ours,
    also one that was deleted meanwhile, is logged; its notices are dropped, but for KEPT_KINDS. Two
    queries whatever the number of notices (SQLite cuts long batches).
    """
    if not routed:
        return 0
    try:
        return _store(routed)
    except IntegrityError:
        return _store(routed)


def _store(routed: Sequence[tuple[str, InboundNotice]]) -> int:
    with transaction.atomic():
        routes = _routes(routed)
        events: list[InboundEvent] = []
        unknown: set[str] = set()
        for number, notice in routed:
            route = number or f"waba:{notice.payload.get('waba_id') or ''}"
            connection_id = routes.get(route)
            if connection_id is None:
                unknown.add(route)
                if notice.kind not in KEPT_KINDS:
                    continue
            events.append(_event_of(notice, connection_id))
        if unknown:
            logger.warning("No connection has these numbers: %s", sorted(unknown))
        if events:
            if len(events) == 1:
                insert_row(events[0], ignores_conflicts=True)
            else:
                InboundEvent.objects.bulk_create(events, ignore_conflicts=True)
        stored = sum(event.connection_id is not None for event in events)
        if stored:
            wake("inbound.process")
    return stored


def _event_of(notice: InboundNotice, connection_id: int | None) -> InboundEvent:
    event = InboundEvent(
        connection_id=connection_id,
        event_id=notice.event_id,
        kind=notice.kind,
        partition=notice.partition,
        payload=notice.payload,
    )
    if connection_id is None:
        event.state, event.finished_at = LeaseState.DONE, timezone.now()
    return event
