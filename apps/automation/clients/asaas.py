"""Asaas: answers a contact's CPF or CNPJ with the charge to pay first.

docs.asaas.com: GET /v3/customers, /v3/payments, /v3/payments/{id}/pixQrCode and
…/identificationField, with the tenant's token in `access_token`.

The answer contains what the payer needs (value, due date, link and codes), never the name or the
document. The contact may not be the debtor, so a conversation may look up only a few different
documents; then it is handed over to a person. `may_look_up` adds a limit beyond the conversation.
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote, urlencode

from apps.automation.clients.asaas_documents import find_document, looks_like_document
from apps.automation.clients.base import Call, ClientError, HandOver, Outcome, Reply, Turn
from apps.automation.clients.http import TIMEOUT_SECONDS, exchange, read_json
from apps.automation.clients.texts import text_of
from apps.common.reasons import Reason, ReasonCode

MAX_DOCUMENTS = 3
MAX_MISSES = 3
# Limits on customers per document and on pages of charges per customer.
MAX_CUSTOMERS = 10
PAGE = 100
MAX_PAGES = 5
# Limit on all calls of one turn together.
TURN_SECONDS = 60.0
NAME = "Asaas"
OVERDUE, PENDING = "OVERDUE", "PENDING"

ASK = "Para consultar a sua cobrança, envie o CPF ou o CNPJ do titular."
INVALID = "Esse CPF ou CNPJ não é válido. Confira os números e envie de novo."
UNKNOWN = "Não encontramos um cadastro com esse documento. Confira os números e envie de novo."
NO_CHARGE = "Não há cobranças em aberto para esse documento."
A_PERSON = "Uma pessoa da nossa equipe vai continuar o seu atendimento."
TOO_MANY = "Você já consultou vários documentos. " + A_PERSON


class AsaasRefused(ClientError):
    """The token is missing or refused."""


@dataclass(frozen=True)
class Charge:
    id: str
    value: Decimal
    due_date: date
    url: str
    is_overdue: bool


@dataclass
class _Lookup:
    calls: list[Call] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)


class AsaasClient:
    """A client of the tenant's account; `url` ends with the version, as https://api.asaas.com/v3."""

    def __init__(
        self,
        *,
        token: str,
        url: str,
        may_look_up: Callable[[str], bool] = lambda document: True,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._token = token.strip()
        self._url = url.rstrip("/")
        self._may_look_up = may_look_up
        self._timeout = timeout

    def check(self) -> None:
        """Check the token with Asaas; raises ClientError."""
        self._require_token()
        _rows(lookup := _Lookup(), self._get(lookup, "customers", {"limit": 1}))

    def take_turn(self, turn: Turn) -> Outcome:
        """Ask for a document, or look up the given one; see `base.Client`."""
        self._require_token()
        session = _Session.of(turn.session)
        document = find_document(text_of(turn))
        if not document:
            return self._without_document(turn, session)
        mark = hashlib.sha256(document.encode()).hexdigest()[:16]
        if mark not in session.documents:
            is_over = len(session.documents) >= MAX_DOCUMENTS
            if is_over or not self._may_look_up(document):
                return _to_a_person(TOO_MANY)
            session = replace(session, documents=(*session.documents, mark))
        lookup = _Lookup()
        customers = self._customers(lookup, document)
        if not customers:
            return _miss(session, UNKNOWN, tuple(lookup.calls))
        charge, open_ones = self._first_to_pay(lookup, customers)
        replies = self._told(lookup, charge, open_ones) if charge else [Reply(text=NO_CHARGE)]
        session = replace(session, misses=0, was_answered=True)
        return Outcome(tuple(replies), session=session.as_json(), calls=tuple(lookup.calls))

    def _require_token(self) -> None:
        if not self._token:
            sentence = "Falta o token do Asaas. Informe-o em Configurações."
            raise AsaasRefused(sentence, reason=ReasonCode.ASAAS_TOKEN_MISSING, permanent=True)

    def _without_document(self, turn: Turn, session: "_Session") -> Outcome:
        if looks_like_document(text_of(turn)):
            return _miss(session, INVALID)
        if session.was_answered:
            # After an answer, a text without a document is another request.
            return _to_a_person(A_PERSON)
        return _miss(session, ASK)

    def _customers(self, lookup: _Lookup, document: str) -> list[str]:
        query = {"cpfCnpj": document, "limit": MAX_CUSTOMERS}
        data = self._get(lookup, "customers", query)
        return [str(row["id"]) for row in _rows(lookup, data) if not row.get("deleted")]

    def _first_to_pay(self, lookup: _Lookup, customers: list[str]) -> tuple[Charge | None, int]:
        """Return the oldest overdue charge, else the next due one, and the number of open
        charges.
        """
        overdue = [c for id_ in customers for c in self._charges(lookup, id_, OVERDUE)]
        pending = [c for id_ in customers for c in self._charges(lookup, id_, PENDING)]
        chosen = min(overdue or pending, key=lambda charge: charge.due_date, default=None)
        return chosen, len(overdue) + len(pending)

    def _charges(self, lookup: _Lookup, customer: str, status: str) -> list[Charge]:
        charges: list[Charge] = []
        for page in range(MAX_PAGES):
            query = {"customer": customer, "status": status, "limit": PAGE, "offset": page * PAGE}
            data = self._get(lookup, "payments", query)
            for row in _rows(lookup, data):
                if not row.get("deleted"):
                    charges.append(_charge(lookup, row, is_overdue=status == OVERDUE))
            if not data.get("hasMore"):
                break
        return charges

    def _told(self, lookup: _Lookup, charge: Charge, open_ones: int) -> list[Reply]:
        """Return the messages of a charge; each code is a separate message, easy to copy."""
        path = f"payments/{quote(charge.id, safe='')}"
        pix = self._code(lookup, f"{path}/pixQrCode", "payload")
        barcode = self._code(lookup, f"{path}/identificationField", "identificationField")
        kind = "vencida" if charge.is_overdue else "em aberto"
        lines = [
            f"Encontramos uma cobrança {kind}:",
            "",
            f"*Valor:* {_money(charge.value)}",
            f"*Vencimento:* {charge.due_date:%d/%m/%Y}",
        ]
        if charge.url:
            lines.append(f"*Link para pagar:* {charge.url}")
        if open_ones > 1:
            which = "a mais antiga" if charge.is_overdue else "a que vence primeiro"
            lines += ["", f"Há {open_ones} cobranças em aberto. Esta é {which}."]
        replies = [Reply(text="\n".join(lines))]
        if pix:
            replies += [Reply(text="Pix copia e cola:"), Reply(text=pix)]
        if barcode:
            replies += [Reply(text="Linha digitável do boleto:"), Reply(text=barcode)]
        return replies

    def _code(self, lookup: _Lookup, path: str, key: str) -> str:
        """Return a code of a charge, or ''. Not every charge has both codes; the link shows all."""
        try:
            value = self._get(lookup, path, {}).get(key)
        except AsaasRefused:
            raise
        except ClientError:
            return ""
        return value if isinstance(value, str) and len(value) <= 1000 else ""

    def _get(self, lookup: _Lookup, path: str, query: Mapping[str, Any]) -> Mapping[str, Any]:
        name = path.rpartition("/")[2]
        left = lookup.started + TURN_SECONDS - time.monotonic()
        if left <= 0:
            raise ClientError(
                "O Asaas demorou demais.",
                reason=Reason(ReasonCode.SERVER_TIMEOUT, NAME),
                calls=tuple(lookup.calls),
            )
        try:
            response, call = exchange(
                "GET",
                f"{self._url}/{path}" + (f"?{urlencode(query)}" if query else ""),
                event=f"asaas.{name}",
                headers={"access_token": self._token},
                timeout=min(self._timeout, left),
            )
            data = read_json(response, call)
        except ClientError as error:
            lookup.calls += [_discreet(call, None) for call in error.calls]
            raise _in_words(error, tuple(lookup.calls)) from error
        if not isinstance(data, Mapping):
            raise _not_readable(lookup)
        lookup.calls.append(_discreet(call, data))
        return data


@dataclass(frozen=True)
class _Session:
    """The session: hashes of the looked-up documents, and the failed answers in a row."""

    documents: tuple[str, ...] = ()
    misses: int = 0
    was_answered: bool = False

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "_Session":
        return cls(
            documents=tuple(data.get("documents") or ()),
            misses=int(data.get("misses") or 0),
            was_answered=bool(data.get("answered")),
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "documents": list(self.documents),
            "misses": self.misses,
            "answered": self.was_answered,
        }


def _miss(session: _Session, sentence: str, calls: tuple[Call, ...] = ()) -> Outcome:
    """Ask again, or hand over to a person after more than MAX_MISSES failures."""
    session = replace(session, misses=session.misses + 1)
    if session.misses > MAX_MISSES:
        return _to_a_person(A_PERSON, calls)
    return Outcome((Reply(text=sentence),), session=session.as_json(), calls=calls)


def _to_a_person(sentence: str, calls: tuple[Call, ...] = ()) -> Outcome:
    return Outcome((Reply(text=sentence),), hand_over=HandOver(reason="finished"), calls=calls)


def _rows(lookup: _Lookup, data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = data.get("data")
    if not isinstance(rows, list) or any(
        not isinstance(row, Mapping) or not isinstance(row.get("id"), str) for row in rows
    ):
        raise _not_readable(lookup)
    return rows


def _charge(lookup: _Lookup, row: Mapping[str, Any], *, is_overdue: bool) -> Charge:
    try:
        url = row.get("invoiceUrl")
        return Charge(
            id=row["id"],
            value=Decimal(str(row["value"])).quantize(Decimal("0.01")),
            due_date=date.fromisoformat(row["dueDate"]),
            url=url if isinstance(url, str) and url.startswith("https://") else "",
            is_overdue=is_overdue,
        )
    except (KeyError, TypeError, ValueError, InvalidOperation) as error:
        raise _not_readable(lookup) from error


def _money(value: Decimal) -> str:
    return "R$ " + f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def _discreet(call: Call, data: Any) -> Call:
    """Return the log entry with the number of records instead of the payer's data."""
    if call.status_code is None:
        return call
    rows = data.get("data") if isinstance(data, Mapping) else None
    shown = f"({len(rows)} registros)" if isinstance(rows, list) else ""
    return replace(call, response_text=shown)


def _not_readable(lookup: _Lookup) -> ClientError:
    return ClientError(
        "O Asaas deu uma resposta que não pôde ser entendida.",
        reason=Reason(ReasonCode.SERVER_UNREADABLE, NAME),
        calls=tuple(lookup.calls),
    )


def _in_words(error: ClientError, calls: tuple[Call, ...]) -> ClientError:
    status = calls[-1].status_code if calls else None
    if status in (401, 403):
        sentence = "O Asaas recusou o token. Confira-o em Configurações."
        refused = ReasonCode.ASAAS_TOKEN_REFUSED
        return AsaasRefused(sentence, reason=refused, permanent=True, calls=calls)
    if status == 429:
        sentence = "O Asaas pediu para esperar: muitas consultas em pouco tempo."
        busy = Reason(ReasonCode.SERVER_BUSY, NAME)
        return ClientError(sentence, reason=busy, retry_after=error.retry_after, calls=calls)
    return ClientError(
        error.message,
        reason=error.reason,
        permanent=error.permanent,
        retry_after=error.retry_after,
        calls=calls,
    )
