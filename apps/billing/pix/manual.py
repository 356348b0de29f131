"""The operator's own Pix key: a static BR Code, whose payment the super user confirms.

Manual do BR Code and Manual de Padrões para Iniciação do Pix (Banco Central do Brasil): EMV fields
of id, length and text, followed by a CRC-16/CCITT-FALSE. The bank shows the transaction id with the
payment, so that the operator can match it.
"""

import re
from decimal import Decimal

from apps.billing.pix.base import IssuedCharge, NewCharge, Standing
from apps.common.search import without_accents

GUI = "br.gov.bcb.pix"
MAX_NAME, MAX_CITY, MAX_TXID = 25, 15, 25


class ManualClient:
    """Generates codes for a Pix key, without a network call."""

    def __init__(self, *, key: str, name: str, city: str) -> None:
        self._key = key
        self._name = name
        self._city = city

    def create(self, charge: NewCharge) -> IssuedCharge:
        """Return the code of a charge, which never expires."""
        code = br_code(
            key=self._key,
            name=self._name,
            city=self._city,
            value=charge.value,
            txid=charge.txid,
        )
        return IssuedCharge(reference=charge.txid, code=code, expires_at=None)

    def look_up(self, *, txid: str, reference: str) -> Standing:
        """Return an open charge without payments: only the operator sees a payment at the bank."""
        return Standing(is_open=True)

    def withdraw(self, *, txid: str, reference: str) -> None:
        """Do nothing: a static code can't be withdrawn."""


def br_code(*, key: str, name: str, city: str, value: Decimal, txid: str) -> str:
    """Return the text of a static BR Code."""
    account = _field("00", GUI) + _field("01", key)
    code = "".join(
        (
            _field("00", "01"),
            _field("26", account),
            _field("52", "0000"),
            _field("53", "986"),
            _field("54", f"{value:.2f}"),
            _field("58", "BR"),
            _field("59", _plain(name, MAX_NAME)),
            _field("60", _plain(city, MAX_CITY)),
            _field("62", _field("05", re.sub(r"[^A-Za-z0-9]", "", txid)[:MAX_TXID] or "***")),
            "6304",
        )
    )
    return code + f"{crc16(code.encode()):04X}"


def crc16(data: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE: polynomial 0x1021, first value 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _field(name: str, text: str) -> str:
    return f"{name}{len(text):02d}{text}"


def _plain(text: str, length: int) -> str:
    """Return a text without accents or special characters, which every bank's application can
    read.
    """
    plain = without_accents(text).encode("ascii", "ignore").decode()
    return " ".join(re.sub(r"[^A-Za-z0-9 .&/-]", " ", plain).split())[:length].strip()
