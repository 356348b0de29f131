"""Efí: an immediate charge (cob) for each code, through the library efipay and mutual TLS.

dev.efipay.com.br/docs/api-pix: PUT, GET and PATCH /v2/cob/{txid}, PUT /v2/webhook/{chave}. The
library returns its errors and has no time-outs: `_Calls` sets our address and time-outs, and raises
errors.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import requests
from efipay import EfiPay

from apps.billing.pix.base import (
    TIMEOUT_SECONDS,
    IssuedCharge,
    NewCharge,
    PixError,
    ReceivedPix,
    Standing,
)

OPEN, PAID, REMOVED = "ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR"
MAX_DESCRIPTION = 140
PASSING = frozenset({408, 409, 429})


class _Refused(PixError):
    """An unsuccessful response; `status` is its HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        super().__init__(
            f"Efí answered {status}: {reason}", permanent=status < 500 and status not in PASSING
        )


class _Calls(EfiPay):
    """The library's calls, with our address and time-outs."""

    has_new_token = False

    def get_url(self) -> None:
        """Use the configured address instead of one of the library's two."""
        self.base_url = self.options["url"]

    def authenticate(self) -> int:
        """Fetch an access token; returns 200, the status that the library expects."""
        answer = self._exchange(
            "post",
            self.build_url(self.endpoints["authorize"]["route"], {}),
            auth=(self.options["client_id"], self.options["client_secret"]),
            data=json.dumps({"grant_type": "client_credentials"}),
            headers={"Content-Type": "application/json"},
        )
        if answer.status_code in {400, 401, 403}:
            raise PixError(
                "Efí refused the credentials: check EFI_CLIENT_ID, EFI_CLIENT_SECRET and"
                " EFI_CERTIFICATE.",
                permanent=True,
            )
        if answer.status_code != 200:
            raise _Refused(answer.status_code, "no token was given")
        token = _object(answer)
        if not isinstance(token.get("access_token"), str):
            raise _unreadable()
        self.token = token
        self.has_new_token = True
        return 200

    def send(
        self, settings: Mapping[str, str], params: Any, body: Any, headers_complement: Any
    ) -> requests.Response:
        """Send one request; raises PixError for every unsuccessful response.

        A 401 for a token that may have expired is returned: the library then fetches a new token.
        """
        answer = self._exchange(
            settings["method"],
            self.build_url(settings["route"], params),
            data=json.dumps(body) if body else None,
            headers={
                "Authorization": f"Bearer {self.token['access_token']}",
                **({"Content-Type": "application/json"} if body else {}),
                **headers_complement,
            },
        )
        if not answer.ok and (answer.status_code != 401 or self.has_new_token):
            raise _Refused(answer.status_code, _reason(answer))
        self.has_new_token = False
        return answer

    def _exchange(self, method: str, url: str, **options: Any) -> requests.Response:
        try:
            answer = requests.request(
                method,
                url,
                cert=self.options["certificate"],
                timeout=self.options["timeout"],
                allow_redirects=False,
                **options,
            )
        except requests.Timeout as error:
            raise PixError("Efí did not answer in time.") from error
        except (requests.RequestException, OSError) as error:
            raise PixError(f"Efí could not be reached ({type(error).__name__}).") from error
        if answer.is_redirect:
            raise _Refused(answer.status_code, "it redirects")
        return answer


class EfiClient:
    """A client of the operator's account.

    `certificate` is the path of a PEM file with its private key.
    """

    def __init__(
        self,
        *,
        client_id: str,
        client_secret: str,
        certificate: str,
        url: str,
        key: str,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._key = key
        self._calls = _Calls(
            {
                "client_id": client_id,
                "client_secret": client_secret,
                "certificate": certificate,
                "url": url.rstrip("/"),
                "timeout": timeout,
            }
        )

    def create(self, charge: NewCharge) -> IssuedCharge:
        """Create a charge under our own id, so that it can be looked up even if the response is
        lost.
        """
        made = _mapping(
            self._calls.pix_create_charge(
                params={"txid": charge.txid},
                body={
                    "calendario": {"expiracao": charge.seconds},
                    "valor": {"original": f"{charge.value:.2f}"},
                    "chave": self._key,
                    "solicitacaoPagador": charge.description[:MAX_DESCRIPTION],
                },
            )
        )
        code = made.get("pixCopiaECola")
        if not isinstance(code, str) or not code:
            code = self._code_at(made)
        expires_at = datetime.now(UTC) + timedelta(seconds=charge.seconds)
        return IssuedCharge(reference=charge.txid, code=code, expires_at=expires_at)

    def look_up(self, *, txid: str, reference: str) -> Standing:
        """Return the state of a charge; see `base.PixClient`."""
        try:
            charge = _mapping(self._calls.pix_detail_charge(params={"txid": txid}))
        except _Refused as refused:
            if refused.status == 404:
                return Standing(is_open=False)
            raise
        received = charge.get("pix") or []
        if not isinstance(received, list):
            raise _unreadable()
        payments = [_received(row) for row in received]
        if charge.get("status") == PAID and not payments:
            raise _unreadable()
        return Standing(
            is_open=charge.get("status") == OPEN,
            payments=tuple(payments),
        )

    def withdraw(self, *, txid: str, reference: str) -> None:
        """Remove a charge; a paid or unknown one is left as it is."""
        try:
            _mapping(self._calls.pix_update_charge(params={"txid": txid}, body={"status": REMOVED}))
        except _Refused as refused:
            if not refused.permanent:
                raise

    def set_webhook(self, address: str) -> None:
        """Register the address that Efí notifies of payments to the key.

        Efí appends /pix to the address. Mutual TLS is switched off, since behind a proxy Efí's
        client certificate can't be checked (its page 'Skip-mTLS'); so the address contains a
        secret.
        """
        _mapping(
            self._calls.pix_config_webhook(
                params={"chave": self._key},
                body={"webhookUrl": address},
                headers={"x-skip-mtls-checking": "true"},
            )
        )

    def _code_at(self, made: Mapping[str, Any]) -> str:
        location = made.get("loc")
        if not isinstance(location, Mapping) or "id" not in location:
            raise _unreadable()
        answer = _mapping(self._calls.pix_generate_qrcode(params={"id": location["id"]}))
        code = answer.get("qrcode")
        if not isinstance(code, str) or not code:
            raise _unreadable()
        return code


def _received(row: Mapping[str, Any]) -> ReceivedPix:
    # `devolucoes` has refunds by the operator and those of the Mecanismo Especial de Devolução,
    # by which a payer's bank takes a payment back.
    try:
        returned = [
            Decimal(each["valor"])
            for each in row.get("devolucoes") or []
            if each.get("status") == "DEVOLVIDO"
        ]
        return ReceivedPix(
            reference=str(row["endToEndId"])[:100],
            value=Decimal(row["valor"]),
            paid_at=datetime.fromisoformat(row["horario"]),
            refunded=sum(returned, Decimal(0)),
        )
    except (KeyError, TypeError, AttributeError, ValueError, InvalidOperation) as error:
        raise _unreadable() from error


def _mapping(answer: Any) -> Mapping[str, Any]:
    # The library returns its own errors instead of raising them, and returns text when the response
    # is not JSON.
    if isinstance(answer, Exception):
        raise PixError(f"Efí refused the call ({type(answer).__name__}).", permanent=True)
    if not isinstance(answer, Mapping):
        raise _unreadable()
    return answer


def _object(answer: requests.Response) -> Mapping[str, Any]:
    try:
        data = answer.json()
    except ValueError as error:
        raise _unreadable() from error
    if not isinstance(data, Mapping):
        raise _unreadable()
    return data


def _reason(answer: requests.Response) -> str:
    try:
        data = answer.json()
        return str(data.get("mensagem") or data.get("detail") or data.get("nome"))[:300]
    except (ValueError, AttributeError):
        return "no reason given"


def _unreadable() -> PixError:
    return PixError("Efí gave an answer that could not be read.")
