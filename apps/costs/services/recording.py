"""Writes what delivered messages cost, in the transaction of their ticks (rules/costs §2, §3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import phonenumbers
from django.db.models import Q

from apps.common.bulk import insert_row, update_rows
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.metrics import count_charge
from apps.companies.queries import setting_by_company, zone_of
from apps.connections.models import Connection, ProviderKind
from apps.contacts.models import Contact
from apps.contacts.numbers import Country, country_of
from apps.costs.models import CostMeter, MessageCategory, MessageCost
from apps.costs.queries.allowances import Allowances
from apps.costs.queries.prices import Prices
from apps.costs.services.free import Place, set_free
from apps.tickets.services.outbox.statuses import Arrival

_COLUMNS = columns_of(MessageCost)
_rows = CompiledQuery(
    lambda ids: MessageCost.objects.filter(message_id__among=ids).values_list(
        "meter__number", *_COLUMNS
    )
)
_METER = columns_of(CostMeter)
_one_meter = CompiledQuery(
    lambda company_id, number_text, month_date: (
        CostMeter.objects.filter(company=company_id, number=number_text, month=month_date)
        .select_for_update(no_key=True)
        .values_list(*_METER)
    )
)
# What a later status may change of a row.
CHANGES = (
    *("meter", "category", "type", "is_billable", "price", "amount", "currency"),
    *("delivered_at", "delivered_on"),
)


@dataclass(frozen=True)
class _Key:
    """What a meter is found by: Meta's id of the number, and the first day of the month."""

    company_id: int
    number: str
    month: date


def record_costs(arrivals: Sequence[Arrival]) -> None:
    """Write or correct the rows of delivered messages of official numbers.

    The number of statements is constant. The messages are locked. The rows depend on what was
    reported, not on its order or repetition: the earliest time of delivery and the price of the
    latest status count.
    """
    arrived = [each for each in arrivals if each.connection.provider == ProviderKind.OFFICIAL]
    if not arrived:
        return
    ids = [each.message.pk for each in arrived]
    known = _known(ids)
    companies = {each.message.company_id for each in arrived}
    zones = _zones(companies)
    before: dict[int, Place | None] = {}
    rows: list[tuple[MessageCost, _Key]] = []
    for each in arrived:
        row = known.get(each.message.pk)
        place = _place_of(row) if row else None
        changed = _follow(row, each, zones[each.message.company_id])
        if changed is not None:
            before[each.message.pk] = place
            rows.append((changed, _key_of(changed, each.connection)))
    if not rows:
        return
    meters = _locked(rows, {each.connection for each in arrived})
    prices = Prices()
    for row, key in rows:
        row.meter = meters[key]
        price_row(row, prices)
    added = [row for row, _ in rows if row.pk is None]
    for row in added:
        if row.is_billable:  # categories are Meta's, and each label is kept for ever
            known_category = row.category if row.category in MessageCategory.values else "other"
            count_charge(known_category, row.amount, row.currency)
    if len(added) == 1:
        insert_row(added[0])
    elif added:
        MessageCost.objects.bulk_create(added)
    update_rows([row for row, _ in rows if row.message_id in known], CHANGES)
    places = [place for place in before.values() if place]
    places += [place for row, _ in rows if (place := _place_of(row))]
    set_free({meter.pk: meter for meter in meters.values()}.values(), places)


def _known(ids: list[int]) -> dict[int, MessageCost]:
    """Return the rows of messages, with the numbers of their meters, by the message's id."""
    found = {}
    for number, *values in _rows.rows(ids=ids):
        row = instance_of(MessageCost, _COLUMNS, values)
        row.number = number
        found[row.message_id] = row
    return found


def _zones(companies: set[int]) -> dict[int, ZoneInfo]:
    if len(companies) == 1:
        [company_id] = companies
        return {company_id: zone_of(company_id)}
    names = setting_by_company("timeZone", among=companies)
    return {company_id: ZoneInfo(name) for company_id, name in names.items()}


def price_row(row: MessageCost, prices: Prices) -> None:
    """Set the price of a row's day; a message that is not charged has none."""
    price = None
    if row.is_billable:
        price = prices.row_on(row.delivered_on, row.category, country_named(row.country))
    row.price = price
    row.amount = price.price if price else None
    row.currency = price.currency if price else ""


def country_named(code: str) -> Country:
    """Return the country of a row's code."""
    if not code or code.isdecimal():
        return Country("", code)
    return Country(code, str(phonenumbers.country_code_for_region(code) or ""))


def _country_of(contact: Contact) -> str:
    country = country_of(contact.canonical_number)
    # Meta's user ids begin with the country.
    return country.region or country.calling_code or (contact.user_id or "")[:2]


def _follow(row: MessageCost | None, arrival: Arrival, zone: ZoneInfo) -> MessageCost | None:
    """Return a new row, or the known one if the report changes it."""
    message = arrival.message
    pricing: Mapping[str, Any] = message.pricing or {}
    told = (
        str(pricing.get("category", "")),
        str(pricing.get("type", "")),
        pricing.get("billable") is True,
    )
    if row is None:
        row = MessageCost(
            message_id=message.pk,
            company_id=message.company_id,
            ticket_id=message.ticket_id,
            queue_id=message.ticket.queue_id,
            user_id=message.user_id,
            source=message.source,
            origin=message.origin,
            country=_country_of(message.contact),
        )
        at = arrival.at or message.created_at
    else:
        at = min(row.delivered_at, arrival.at or row.delivered_at)
        if (row.category, row.type, row.is_billable, row.delivered_at) == (*told, at):
            return None
    row.category, row.type, row.is_billable = told
    if row.pk is None or at != row.delivered_at:
        row.delivered_at = at
        row.delivered_on = at.astimezone(zone).date()
    return row


def _key_of(row: MessageCost, connection: Connection) -> _Key:
    number = connection.phone_number_id or str(connection.pk)
    # A row stays with the number that sent its message.
    number = row.number or number
    return _Key(row.company_id, number, row.delivered_on.replace(day=1))


def _place_of(row: MessageCost) -> Place | None:
    """Return a row's place in its meter's order, None if it does not count there."""
    if row.category != MessageCategory.SERVICE or not row.is_billable:
        return None
    return Place(row.meter_id, row.delivered_at, row.message_id)


def _locked(
    rows: Iterable[tuple[MessageCost, _Key]], connections: Iterable[Connection]
) -> dict[_Key, CostMeter]:
    """Return the meters of the rows, also those that rows leave, locked in the order of ids."""
    wanted = {key for _, key in rows}
    left = {row.meter_id for row, _ in rows if row.pk}
    found = _lock(wanted, left)
    missing = sorted(wanted - set(found), key=lambda key: (key.company_id, key.number, key.month))
    if not missing:
        return found
    ids = {each.phone_number_id or str(each.pk): each.pk for each in connections}
    allowances = Allowances()
    CostMeter.objects.bulk_create(
        [
            CostMeter(
                company_id=key.company_id,
                connection_id=ids.get(key.number),
                number=key.number,
                month=key.month,
                allowance=allowances.in_month(key.month),
                # Who enters an allowance meanwhile does not see this row.
                is_stale=True,
            )
            for key in missing
        ],
        ignore_conflicts=True,
    )
    return _lock(wanted, left)


def _lock(wanted: set[_Key], left: set[int]) -> dict[_Key, CostMeter]:
    if len(wanted) == 1 and not left:
        [key] = wanted
        rows = _one_meter.rows(
            company_id=key.company_id, number_text=key.number, month_date=key.month
        )
        found = [instance_of(CostMeter, _METER, values) for values in rows]
        return dict(zip([key], found, strict=False))
    of_keys = Q(
        company__in={key.company_id for key in wanted},
        number__in={key.number for key in wanted},
        month__in={key.month for key in wanted},
    )
    # Of two batches about one month the second waits here, and then reads what the first wrote.
    meters = CostMeter.objects.select_for_update(no_key=True).filter(of_keys | Q(pk__in=left))
    return {
        _Key(meter.company_id, meter.number, meter.month): meter for meter in meters.order_by("pk")
    }
