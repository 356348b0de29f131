"""The address book of a phone, as its QR session reports it (rules/contacts §6)."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import Q

from apps.connections.models import QrAddress, QrSession, QrSessionKey
from apps.connections.providers.content import AddressEntry

MOST_ADDRESSES = 500
LID_SUFFIX = "@lid"


def keep_addresses(session: QrSession, payload: dict[str, Any]) -> None:
    """Store what a session tells of the phone's address book; a name that is known stays."""
    told = payload.get("contacts")
    rows: dict[str, QrAddress] = {}
    for each in told[:MOST_ADDRESSES] if isinstance(told, list) else ():
        if not isinstance(each, dict):
            continue
        number, lid, name = (_text(each.get(key)) for key in ("number", "lid", "name"))
        key = (number or lid)[:100]
        if key:
            rows[key] = QrAddress(
                session=session,
                key=key,
                number=number[:30],
                lid=lid[:100],
                name=name[:200],
                is_saved=each.get("isSaved") is True,
            )
    known = QrAddress.objects.filter(session=session, key__in=rows).in_bulk(field_name="pk")
    for address in known.values():
        row = rows[address.key]
        row.name, row.lid = row.name or address.name, row.lid or address.lid
        row.is_saved = row.is_saved or address.is_saved
    QrAddress.objects.bulk_create(
        rows.values(),
        update_conflicts=True,
        unique_fields=["session", "key"],
        update_fields=["number", "lid", "name", "is_saved"],
    )


def forget_addresses(*, company_id: int, keys: Collection[str]) -> None:
    """Delete a person, given by bare numbers and ids, from the address books of a company's QR
    sessions, with the session keys that are for them alone.

    WhatsApp's protocol makes new keys with the next message.
    """
    lids = [f"{key}{LID_SUFFIX}" for key in keys]
    book = QrAddress.objects.filter(session__connection__company=company_id)
    book.filter(Q(number__in=keys) | Q(lid__in=lids) | Q(key__in=[*keys, *lids])).delete()
    # A name is the number or LID, alone or before a device or a server, or it is a member's in a
    # group.
    named = Q(name__in=keys)
    for key in keys:
        for mark in (".", "_", ":", "@"):
            named |= Q(name__startswith=f"{key}{mark}") | Q(name__contains=f"::{key}{mark}")
    QrSessionKey.objects.filter(named, session__connection__company=company_id).delete()


def addresses_of(session_id: int) -> Iterator[AddressEntry]:
    """Return the entries of the phone's address book, in order."""
    saved = QrAddress.objects.filter(session_id=session_id, is_saved=True).order_by("pk")
    for number, name, lid in saved.values_list("number", "name", "lid").iterator(1000):
        yield AddressEntry(number, name, lid)


def _text(value: Any) -> str:
    return value.replace("\x00", "").strip() if isinstance(value, str) else ""
