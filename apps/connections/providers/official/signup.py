"""Embedded signup: a code becomes a token, an account's number is registered.

developers.facebook.com/documentation/business-messaging/whatsapp/embedded-signup/
onboarding-customers-as-a-tech-provider (steps) and …/onboarding-business-app-users (coexistence).
"""

from dataclasses import dataclass

from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.errors import GRAPH_TITLE_LENGTH
from apps.connections.providers.official.paging import all_rows, check_account_id
from apps.connections.providers.official.values import as_text

FIELDS = "id,display_phone_number,verified_name,platform_type,status,is_on_biz_app"

# Meta answers a wrong app or secret with 1 or 101, a wrong code with 100.
APP_REFUSED = frozenset({"1", "101"})
CODE_REFUSED = frozenset({"100", "33", "190", "0"})
REGISTER_FAULTS = {
    "133005": (
        ReasonCode.PIN_WRONG,
        "O PIN não é o da confirmação em duas etapas deste número.",
    ),
    "133006": (
        ReasonCode.NUMBER_UNVERIFIED,
        "A Meta ainda não confirmou que este número é seu. Abra a janela da Meta de novo.",
    ),
    "133008": (
        ReasonCode.PIN_BLOCKED,
        "Foram muitas tentativas com o PIN errado. Aguarde antes de tentar de novo.",
    ),
    "133009": (
        ReasonCode.PIN_BLOCKED,
        "Foram muitas tentativas com o PIN errado. Aguarde antes de tentar de novo.",
    ),
    "133016": (
        ReasonCode.REGISTER_LIMIT,
        "A Meta só registra um número dez vezes em três dias. Tente de novo mais tarde.",
    ),
}


@dataclass(frozen=True)
class AccountNumber:
    """A number of a business account; `is_registered` means that it can send already."""

    id: str
    number: str
    name: str
    is_registered: bool
    is_on_app: bool


def exchange_code(client: GraphClient, *, app_id: str, app_secret: str, code: str) -> str:
    """Exchange a code for a token; a code works once.

    Raises ProviderError, permanent if another code, app or secret is needed.
    """
    try:
        answer = client.get(
            "oauth/access_token", client_id=app_id, client_secret=app_secret, code=code
        )
    except ProviderError as error:
        raise _exchange_fault(error) from error
    token = as_text(answer.get("access_token"))
    if not token:
        raise ProviderError(
            "A resposta da Meta não pôde ser lida.",
            reason=ReasonCode.MALFORMED_ANSWER,
            code="malformed_answer",
            permanent=True,
        )
    return token


def _exchange_fault(error: ProviderError) -> ProviderError:
    if error.code in APP_REFUSED:
        return ProviderError(
            "A Meta não reconheceu o app deste serviço.",
            reason=ReasonCode.SIGNUP_APP,
            code=error.code,
            permanent=True,
        )
    if error.code in CODE_REFUSED:
        return ProviderError(
            "A autorização da Meta já foi usada ou venceu. Abra a janela da Meta de novo.",
            reason=ReasonCode.SIGNUP_CODE,
            code=error.code,
            permanent=True,
        )
    return _in_words_of_signup(error)


def account_numbers(client: GraphClient, account_id: str) -> list[AccountNumber]:
    """Return the numbers of a business account."""
    check_account_id(account_id)
    return [
        AccountNumber(
            id=str(row.get("id") or ""),
            number=as_text(row.get("display_phone_number")),
            name=as_text(row.get("verified_name")),
            is_registered=row.get("platform_type") == "CLOUD_API"
            and row.get("status") == "CONNECTED",
            is_on_app=row.get("is_on_biz_app") is True,
        )
        for row in all_rows(client, f"{account_id}/phone_numbers", FIELDS)
    ]


def register(client: GraphClient, phone_number_id: str, pin: str) -> None:
    """Register a number with its PIN of six digits, or set the PIN if it has none.

    Idempotent; Meta allows ten calls in 72 hours.
    """
    payload = {"messaging_product": "whatsapp", "pin": pin}
    try:
        client.post(f"{phone_number_id}/register", payload)
    except ProviderError as error:
        known = REGISTER_FAULTS.get(error.code)
        if known is None:
            raise _in_words_of_signup(error) from error
        reason, sentence = known
        # A number can only be verified in Meta's window.
        again = reason == ReasonCode.NUMBER_UNVERIFIED
        raise ProviderError(
            sentence, reason=reason, code=error.code, needs_reconnect=again
        ) from error


def _in_words_of_signup(error: ProviderError) -> ProviderError:
    """Return the error; what is only refused is no message that is refused."""
    if error.reason.code not in (ReasonCode.REFUSED, ReasonCode.DATA_REFUSED):
        return error
    detail = error.reason.detail[:GRAPH_TITLE_LENGTH]
    return ProviderError(
        f"A Meta recusou o cadastro: {detail}" if detail else "A Meta recusou o cadastro.",
        reason=Reason(ReasonCode.SIGNUP_REFUSED, detail),
        code=error.code,
        permanent=True,
    )
