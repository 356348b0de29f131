"""Asaas: for each charge a static QR code of the operator's key, which can be paid once.

docs.asaas.com: POST /v3/pix/qrCodes/static, GET /v3/payments?pixQrCodeId, DELETE
/v3/pix/qrCodes/static/{id}, with the operator's token in the header `access_token`. Asaas needs no
document number of the payer for these codes, and creates the payment when the money arrives.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import httpx

from apps.billing.pix.base import (
    TIMEOUT_SECONDS,
    IssuedCharge,
    NewCharge,
    PixError,
    ReceivedPix,
    Standing,
)
from apps.common.traces import traced_call

# Statuses of a payment whose money has arrived, even if a part of it or all of it went back.
ARRIVED = frozenset({"RECEIVED", "CONFIRMED", "REFUND_REQUESTED", "REFUND_IN_PROGRESS"})
# The payer's money is back, or Asaas holds it until a dispute is decided.
REFUNDED = frozenset(
    {"REFUNDED", "CHARGEBACK_REQUESTED", "CHARGEBACK_DISPUTE", "AWAITING_CHARGEBACK_REVERSAL"}
)
MAX_DESCRIPTION = 37
BRASILIA = ZoneInfo("America/Sao_Paulo")


class AsaasPix:
    """A client of the operator's account.

    `url` ends with the version, such as https://api.asaas.com/v3.
    """

    def __init__(self, *, token: str, url: str, key: str, timeout: float = TIMEOUT_SECONDS) -> None:
        self._token = token
        self._url = url.rstrip("/")
        self._key = key
        self._timeout = timeout

    def create(self, charge: NewCharge) -> IssuedCharge:
        """Create a QR code; see `base.PixClient`."""
        expires_at = datetime.now(UTC) + timedelta(seconds=charge.seconds)
        made = self._call(
            "POST",
            "pix/qrCodes/static",
            body={
                "addressKey": self._key,
                "description": charge.description[:MAX_DESCRIPTION],
                "value": float(charge.value),
                "format": "PAYLOAD",
                "expirationSeconds": charge.seconds,
                "allowsMultiplePayments": False,
                "externalReference": charge.txid,
            },
        )
        reference, code = made.get("id"), made.get("payload")
        if not isinstance(reference, str) or not isinstance(code, str) or not reference or not code:
            raise _unreadable()
        return IssuedCharge(reference=reference[:100], code=code, expires_at=expires_at)

    def look_up(self, *, txid: str, reference: str) -> Standing:
        """Return the payments of a QR code; see `base.PixClient`."""
        if not reference:  # no response was stored, so nobody has seen the code
            return Standing(is_open=False)
        listed = self._call("GET", "payments", query={"pixQrCodeId": reference, "limit": "100"})
        rows = listed.get("data")
        if not isinstance(rows, list):
            raise _unreadable()
        # A filter that Asaas did not apply would give the payments of others.
        own = [row for row in rows if row.get("pixQrCodeId") == reference]
        arrived = [_received(row) for row in own if row.get("status") in ARRIVED | REFUNDED]
        return Standing(is_open=True, payments=tuple(arrived))

    def withdraw(self, *, txid: str, reference: str) -> None:
        """Delete a QR code; no error when it is already deleted."""
        if reference:
            self._call("DELETE", f"pix/qrCodes/static/{quote(reference, safe='')}", gone=True)

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Any = None,
        gone: bool = False,
    ) -> Mapping[str, Any]:
        try:
            with traced_call(method, httpx.URL(self._url).host):
                answer = httpx.request(
                    method,
                    f"{self._url}/{path}",
                    params=query,
                    json=body,
                    headers={"access_token": self._token, "User-Agent": "Balcao"},
                    timeout=self._timeout,
                    follow_redirects=False,
                )
        except httpx.TimeoutException as error:
            raise PixError("Asaas did not answer in time.") from error
        except httpx.HTTPError as error:
            raise PixError(f"Asaas could not be reached ({type(error).__name__}).") from error
        if gone and answer.status_code in {400, 404}:
            return {}
        if answer.status_code in {401, 403}:
            raise PixError("Asaas refused the token: check BILLING_ASAAS_TOKEN.", permanent=True)
        if not answer.is_success:
            raise PixError(
                f"Asaas answered {answer.status_code}: {_reason(answer)}",
                permanent=answer.status_code < 500 and answer.status_code not in {408, 429},
            )
        return _object(answer)


def _object(answer: httpx.Response) -> Mapping[str, Any]:
    try:
        data = answer.json()
    except ValueError as error:
        raise _unreadable() from error
    if not isinstance(data, Mapping):
        raise _unreadable()
    return data


def _reason(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["errors"][0]["description"])[:300]
    except (ValueError, KeyError, IndexError, TypeError):
        return "no reason given"


def _received(row: Mapping[str, Any]) -> ReceivedPix:
    try:
        value = _money(row["value"])
        done = [each["value"] for each in row.get("refunds") or [] if each.get("status") == "DONE"]
        is_back = row["status"] in REFUNDED
        return ReceivedPix(
            reference=str(row["id"])[:100],
            value=value,
            paid_at=_paid_at(row),
            refunded=value if is_back else sum(map(_money, done), Decimal(0)),
        )
    except (KeyError, TypeError, AttributeError, ValueError, InvalidOperation) as error:
        raise _unreadable() from error


def _money(value: Any) -> Decimal:
    return Decimal(str(value)).quantize(Decimal("0.01"))


def _paid_at(row: Mapping[str, Any]) -> datetime:
    """Return now, or the end of the payment's day if that is over.

    Asaas returns only the date of a payment, in the time of Brasília. A date that can't be read
    does not keep the payment from being recorded.
    """
    now = datetime.now(UTC)
    try:
        day = date.fromisoformat(row.get("clientPaymentDate") or row.get("paymentDate") or "")
    except (TypeError, ValueError):
        return now
    return min(now, datetime.combine(day, time.max, BRASILIA))


def _unreadable() -> PixError:
    return PixError("Asaas gave an answer that could not be read.")
