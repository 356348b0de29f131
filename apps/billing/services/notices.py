"""Providers' notifications: they are stored, and their charges are looked up at once
(rules/billing §3).
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.billing.models import PixCharge, PixNotice, PixProvider
from apps.common.wakeups import wake

# The most payments that are read from one notification; banks send few.
MOST = 200


def store_efi_notice(body: Mapping[str, Any]) -> int:
    """Store a notification of Efí; returns the number of our charges that it names."""
    received = body.get("pix")
    rows = received[:MOST] if isinstance(received, list) else []
    names = {name for row in rows for name in _names(row, "txid")}
    return _store(PixProvider.EFI, "txid", names)


def store_asaas_notice(body: Mapping[str, Any]) -> int:
    """Store a notification of Asaas; returns the number of our charges that it names."""
    return _store(PixProvider.ASAAS, "reference", _names(body.get("payment"), "pixQrCodeId"))


def _names(row: Any, key: str) -> set[str]:
    name = row.get(key) if isinstance(row, Mapping) else None
    return {name} if isinstance(name, str) and 0 < len(name) <= 100 else set()


def _store(provider: PixProvider, column: str, names: Collection[str]) -> int:
    if not names:
        return 0
    now = timezone.now()
    with transaction.atomic():
        charges = PixCharge.objects.filter(provider=provider, **{f"{column}__in": names})
        ids = dict(charges.values_list(column, "pk"))
        PixNotice.objects.bulk_create(
            PixNotice(provider=provider, reference=name, charge_id=ids.get(name))
            for name in sorted(names)
        )
        # A worker's look-up in progress may predate this payment: `start_over` makes it look again.
        if PixCharge.objects.filter(pk__in=ids.values()).start_over(now):
            wake(PixCharge.wakes)
    return len(ids)
