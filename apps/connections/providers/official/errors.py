"""Errors of the Graph API as retry decisions, Portuguese sentences and reason codes.

Codes: developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes.
"""

from dataclasses import dataclass
from typing import Any

from apps.common.reasons import Reason, ReasonCode
from apps.connections.providers.base import ProviderError

MINUTE = 60.0
HOUR = 3600.0
LONGEST_WAIT = 24 * HOUR

GRAPH_TITLE_LENGTH = 200


@dataclass(frozen=True)
class Fault:
    """What a code means: the sentence, its reason, and the flags of ProviderError."""

    message: str
    reason: ReasonCode
    permanent: bool = False
    retry_after: float | None = None
    pauses_connection: bool = False
    needs_reconnect: bool = False


def _refused(reason: ReasonCode, message: str) -> Fault:
    return Fault(message, reason, permanent=True)


def _reconnect(reason: ReasonCode, message: str) -> Fault:
    return Fault(message, reason, needs_reconnect=True)


_TOKEN = _reconnect(
    ReasonCode.CREDENTIALS_REFUSED,
    "A Meta recusou o token de acesso. Informe um token válido na conexão.",
)
_PERMISSION = _reconnect(
    ReasonCode.NO_PERMISSION, "O token de acesso não tem permissão para este número."
)
_SERVICE = Fault("O serviço da Meta está indisponível no momento.", ReasonCode.PROVIDER_DOWN)
_NUMBER_WIDE = Fault(
    "O limite de envios deste número foi atingido. Os envios continuam em instantes.",
    ReasonCode.NUMBER_LIMIT,
    pauses_connection=True,
)
_APP_WIDE = Fault(
    "O limite de chamadas à Meta foi atingido. Os envios continuam em alguns minutos.",
    ReasonCode.APP_LIMIT,
    retry_after=5 * MINUTE,
    pauses_connection=True,
)
# Errors that only another token mends.
TOKEN_REFUSED = _TOKEN.message
_TEMPLATE_TEXT = "O modelo de mensagem não pôde ser enviado"

FAULTS: dict[int, Fault] = {
    0: _TOKEN,
    190: _TOKEN,
    3: _PERMISSION,
    10: _PERMISSION,
    200: _PERMISSION,
    131005: _PERMISSION,
    131031: _reconnect(
        ReasonCode.ACCOUNT_LOCKED, "A conta do WhatsApp Business está bloqueada pela Meta."
    ),
    131045: _reconnect(
        ReasonCode.NUMBER_NOT_REGISTERED, "O número não está registrado na API oficial."
    ),
    133010: _reconnect(
        ReasonCode.NUMBER_NOT_REGISTERED, "O número não está registrado na API oficial."
    ),
    131047: _refused(
        ReasonCode.WINDOW_CLOSED,
        "Passaram mais de 24 horas desde a última mensagem do contato. Envie um modelo.",
    ),
    139200: _refused(
        ReasonCode.DIRECT_SEND_BLOCKED,
        "A Meta bloqueou por enquanto as mensagens de utilidade sem modelo desta conta. Use um"
        " modelo.",
    ),
    131064: _refused(
        ReasonCode.DIRECT_SEND_LIMIT,
        "A conta chegou ao limite de mensagens de utilidade das últimas 24 horas. Use um modelo.",
    ),
    131026: _refused(
        ReasonCode.NOT_REACHABLE,
        "O contato não está no WhatsApp ou não pode receber esta mensagem.",
    ),
    131021: _refused(ReasonCode.OWN_NUMBER, "O número do contato é o da própria conexão."),
    131030: _refused(
        ReasonCode.NOT_A_TEST_NUMBER,
        "Este contato não está na lista de destinos permitidos do número de teste.",
    ),
    131049: _refused(
        ReasonCode.KEPT_BACK,
        "A Meta não entregou a mensagem para preservar a experiência do contato.",
    ),
    131050: _refused(
        ReasonCode.MARKETING_STOPPED,
        "O contato não quer receber mensagens de marketing desta empresa.",
    ),
    130472: _refused(
        ReasonCode.MARKETING_HELD,
        "A Meta não entrega mensagens de marketing a este contato por enquanto.",
    ),
    130497: _refused(
        ReasonCode.COUNTRY_BLOCKED, "A empresa não pode enviar mensagens para este país."
    ),
    2494191: _refused(
        ReasonCode.CONTROL_REFUSED,
        "A Meta não deixou assumir esta conversa. Quem pode assumir é definido no Meta Business"
        " Suite, nas funções de cada agente.",
    ),
    131008: _refused(ReasonCode.DATA_MISSING, "Falta um dado obrigatório na mensagem."),
    131009: _refused(ReasonCode.DATA_REFUSED, "Um dado da mensagem não é aceito pela Meta."),
    131042: Fault(
        "Há uma pendência de pagamento na conta da Meta.",
        ReasonCode.PAYMENT,
        retry_after=HOUR,
        pauses_connection=True,
    ),
    131051: _refused(ReasonCode.TYPE_REFUSED, "Este tipo de mensagem não é aceito pela Meta."),
    131052: _refused(
        ReasonCode.MEDIA_NOT_FETCHED, "O arquivo enviado pelo contato não pôde ser baixado."
    ),
    131053: _refused(ReasonCode.MEDIA_REFUSED, "O arquivo não é aceito pelo WhatsApp."),
    100: _refused(ReasonCode.DATA_REFUSED, "A Meta não aceitou um dado da mensagem."),
    33: _reconnect(
        ReasonCode.NUMBER_UNKNOWN,
        "A Meta não encontrou este número. Confira a identificação na conexão.",
    ),
    1: _SERVICE,
    2: _SERVICE,
    131000: _SERVICE,
    131016: _SERVICE,
    131057: Fault(
        "O número está em manutenção na Meta.", ReasonCode.NUMBER_MAINTENANCE, retry_after=MINUTE
    ),
    133004: _SERVICE,
    4: _APP_WIDE,
    80007: _APP_WIDE,
    80008: _APP_WIDE,
    130429: _NUMBER_WIDE,
    131056: Fault(
        "Muitas mensagens para este contato em pouco tempo. O envio será repetido.",
        ReasonCode.CONTACT_LIMIT,
        retry_after=6.0,
    ),
    131048: Fault(
        "A Meta limitou os envios deste número por denúncias de spam.",
        ReasonCode.SPAM_LIMIT,
        retry_after=6 * HOUR,
        pauses_connection=True,
    ),
    368: Fault(
        "A Meta bloqueou temporariamente os envios desta conta por violar as políticas.",
        ReasonCode.POLICY_BLOCK,
        retry_after=6 * HOUR,
        pauses_connection=True,
    ),
    132000: _refused(
        ReasonCode.TEMPLATE_VARIABLES, f"{_TEMPLATE_TEXT}: o número de variáveis não confere."
    ),
    132001: _refused(
        ReasonCode.TEMPLATE_UNKNOWN,
        f"{_TEMPLATE_TEXT}: ele não existe neste idioma ou não foi aprovado.",
    ),
    132005: _refused(
        ReasonCode.TEMPLATE_TOO_LONG, f"{_TEMPLATE_TEXT}: o texto preenchido é longo demais."
    ),
    132008: _refused(
        ReasonCode.TEMPLATE_VARIABLE_MISSING, f"{_TEMPLATE_TEXT}: falta uma variável."
    ),
    132018: _refused(
        ReasonCode.TEMPLATE_VARIABLE_TEXT,
        f"{_TEMPLATE_TEXT}: uma variável tem quebra de linha ou espaços demais.",
    ),
    132007: _refused(
        ReasonCode.TEMPLATE_POLICY, f"{_TEMPLATE_TEXT}: o conteúdo viola as políticas da Meta."
    ),
    132012: _refused(
        ReasonCode.TEMPLATE_VARIABLE_FORMAT,
        f"{_TEMPLATE_TEXT}: o formato de uma variável não confere.",
    ),
    132015: _refused(
        ReasonCode.TEMPLATE_PAUSED, f"{_TEMPLATE_TEXT}: ele está pausado por baixa qualidade."
    ),
    132016: _refused(
        ReasonCode.TEMPLATE_DISABLED, f"{_TEMPLATE_TEXT}: ele foi desativado pela Meta."
    ),
    131062: _refused(
        ReasonCode.TEMPLATE_NEEDS_NUMBER,
        f"{_TEMPLATE_TEXT}: modelos de autenticação exigem o número de telefone do contato.",
    ),
    # On `/messages` the account sends no marketing; `services/marketing.py` takes the other way.
    131063: _refused(
        ReasonCode.MARKETING_CLOSED,
        f"{_TEMPLATE_TEXT}: esta conta só envia marketing pela API de mensagens de marketing da"
        " Meta.",
    ),
    131055: _refused(
        ReasonCode.MARKETING_TERMS,
        f"{_TEMPLATE_TEXT}: a conta ainda não aceitou os termos da API de mensagens de marketing"
        " no Gerenciador do WhatsApp.",
    ),
    134100: _refused(
        ReasonCode.TEMPLATE_REFUSED, f"{_TEMPLATE_TEXT}: ele não é mais um modelo de marketing."
    ),
    134101: Fault(
        "A Meta ainda prepara este modelo para as mensagens de marketing. O envio será repetido.",
        ReasonCode.TEMPLATE_SYNCING,
        retry_after=10 * MINUTE,
    ),
    134102: _refused(
        ReasonCode.TEMPLATE_REFUSED,
        f"{_TEMPLATE_TEXT}: a API de mensagens de marketing não o aceita.",
    ),
    # About the flow that a message opens, which need not be a template's.
    132068: _refused(
        ReasonCode.TEMPLATE_FLOW_BLOCKED,
        "A mensagem não pôde ser enviada: a Meta bloqueou o formulário que ela abre.",
    ),
    132069: _refused(
        ReasonCode.TEMPLATE_FLOW_LIMIT,
        "A mensagem não pôde ser enviada: o formulário que ela abre chegou ao limite de envios por"
        " hora da Meta.",
    ),
}

# Code 100 whose details name Direct Send: the account has none. Other texts with code 100 are about
# the message (documentation/business-messaging/whatsapp/direct-send/api-reference, 31 Jul 2026).
_NO_DIRECT_SEND = _refused(
    ReasonCode.DIRECT_SEND_OFF,
    "A Meta não liberou para esta conta mensagens de utilidade sem modelo. Use um modelo.",
)
DIRECT_SEND = "requires direct send"

# Meta's refusals of submitted templates, by `error_subcode`.
TEMPLATE_FAULTS: dict[int, Fault] = {
    2388024: _refused(
        ReasonCode.TEMPLATE_EXISTS, "Já existe um modelo com este nome neste idioma."
    ),
    2388023: _refused(
        ReasonCode.TEMPLATE_NAME_BLOCKED,
        "Um modelo com este nome foi excluído há pouco. Use outro nome ou espere 30 dias.",
    ),
    2388019: _refused(
        ReasonCode.TEMPLATE_LIMIT, "A conta chegou ao limite de modelos da Meta. Exclua algum."
    ),
    2388040: _refused(
        ReasonCode.TEMPLATE_PART_LONG, "Uma parte do modelo passa do limite de caracteres da Meta."
    ),
    **dict.fromkeys(
        (2388047, 2388072, 2388073),
        _refused(
            ReasonCode.TEMPLATE_PART_FORMAT,
            "A Meta não aceita o formato do título, do texto ou do rodapé deste modelo.",
        ),
    ),
    2388293: _refused(
        ReasonCode.TEMPLATE_MANY_VARIABLES,
        "O texto tem variáveis demais para o seu tamanho. Escreva mais ou use menos variáveis.",
    ),
    2388299: _refused(
        ReasonCode.TEMPLATE_EDGE_VARIABLE,
        "O texto não pode começar nem terminar com uma variável.",
    ),
    # Meta made it from a utility text.
    **dict.fromkeys(
        (2388318, 2388330),
        _refused(
            ReasonCode.TEMPLATE_BY_META,
            "A Meta criou este modelo a partir de uma mensagem de utilidade. Ele não pode ser"
            " alterado nem excluído.",
        ),
    ),
}

# Meta's refusals to make, publish, deprecate or delete a flow; the first one is about the account.
FLOW_INTEGRITY = 139000
FLOW_CODES = frozenset(range(FLOW_INTEGRITY, 139005))

# Errors that are not about the submitted template.
_PASSING = frozenset(
    code for code, fault in FAULTS.items() if fault.needs_reconnect or not fault.permanent
)
_FAULT_OF_STATUS: dict[int, Fault] = {401: _TOKEN, 403: _PERMISSION, 429: _NUMBER_WIDE}
# The Graph API answers an unknown object with code 100 and this subcode.
UNKNOWN_OBJECT_SUBCODE = 33


def _as_code(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _fault(code: int | None, subcode: int | None, status: int, details: str = "") -> Fault:
    if code == 100 and subcode == UNKNOWN_OBJECT_SUBCODE:
        return FAULTS[33]
    if code == 100 and DIRECT_SEND in details.casefold():
        return _NO_DIRECT_SEND
    if code is not None and code in FAULTS:
        return FAULTS[code]
    if code is not None and 132000 <= code < 133000:
        return _refused(ReasonCode.TEMPLATE_REFUSED, f"{_TEMPLATE_TEXT}.")
    if status in _FAULT_OF_STATUS:
        return _FAULT_OF_STATUS[status]
    if 400 <= status < 500:
        return _refused(ReasonCode.REFUSED, "A Meta recusou a mensagem.")
    return _SERVICE


def _is_known(code: int | None) -> bool:
    return code is not None and (code in FAULTS or 132000 <= code < 133000)


def sentence_of(code: Any, title: str = "") -> str:
    """Return the sentence of a code; an unknown code shows the provider's text."""
    number = _as_code(code)
    if _is_known(number):
        return _fault(number, None, 0, title).message
    return (
        f"A Meta recusou a mensagem: {title[:GRAPH_TITLE_LENGTH]}"
        if title
        else ("A Meta recusou a mensagem.")
    )


def reason_of(code: Any, title: str = "") -> Reason:
    """Return the reason of a code; an unknown code has the provider's text as its detail."""
    number = _as_code(code)
    if not _is_known(number):
        return Reason(ReasonCode.REFUSED, title[:GRAPH_TITLE_LENGTH])
    known = _fault(number, None, 0, title).reason
    return Reason(known, title[:GRAPH_TITLE_LENGTH] if number not in FAULTS else "")


def error_from_answer(status: int, body: Any, retry_after: str | None = None) -> ProviderError:
    """Return the error of an answer that is none of success.

    `body` is the parsed JSON or None; `retry_after` the header of that name, in seconds. A gateway
    time-out without a Graph error leaves the outcome unknown.
    """
    error = body.get("error") if isinstance(body, dict) else None
    error = error if isinstance(error, dict) else {}
    code, subcode = _as_code(error.get("code")), _as_code(error.get("error_subcode"))
    if code in FLOW_CODES:
        return _refused_flow(error, code)
    known = TEMPLATE_FAULTS.get(subcode or 0) or TEMPLATE_FAULTS.get(code or 0)
    # Only refusals of templates contain sentences for people.
    words = error.get("error_user_msg")
    if known is None and isinstance(words, str) and words and code not in _PASSING:
        return _refused_template(words[:GRAPH_TITLE_LENGTH], code)
    data = error.get("error_data")
    details = data.get("details") if isinstance(data, dict) else None
    fault = known or _fault(code, subcode, status, details if isinstance(details, str) else "")
    message = fault.message
    title = error.get("message")
    detail = title[:GRAPH_TITLE_LENGTH] if isinstance(title, str) else ""
    if known is None and not _is_known(code) and fault.permanent and detail:
        message = f"{message.rstrip('.')}: {detail}"
    asked = _as_code(retry_after)
    return ProviderError(
        message,
        reason=Reason(
            fault.reason, detail if fault.permanent and not known and code not in FAULTS else ""
        ),
        code=str(code) if code is not None else f"http_{status}",
        permanent=fault.permanent,
        retry_after=float(asked) if asked and 0 < asked <= LONGEST_WAIT else fault.retry_after,
        pauses_connection=fault.pauses_connection,
        needs_reconnect=fault.needs_reconnect,
        outcome_unknown=status == 504 and code is None,
    )


def _refused_flow(error: dict[str, Any], code: int | None) -> ProviderError:
    told = (error.get("error_user_msg"), error.get("message"))
    words = next((each for each in told if isinstance(each, str) and each), "")
    words = words[:GRAPH_TITLE_LENGTH]
    if code == FLOW_INTEGRITY:
        return ProviderError(
            "A Meta vê um problema de integridade na conta e não deixa criar nem publicar"
            " formulários.",
            reason=Reason(ReasonCode.FORM_INTEGRITY, words),
            code=str(code),
            permanent=True,
        )
    return ProviderError(
        f"A Meta não aceitou o formulário: {words}",
        reason=Reason(ReasonCode.FORM_REFUSED, words),
        code=str(code),
        permanent=True,
    )


def _refused_template(words: str, code: int | None) -> ProviderError:
    return ProviderError(
        f"A Meta não aceitou o modelo: {words}",
        reason=Reason(ReasonCode.TEMPLATE_NOT_TAKEN, words),
        code=str(code),
        permanent=True,
    )
