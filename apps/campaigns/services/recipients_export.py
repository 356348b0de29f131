"""A campaign's recipients as a CSV file (rules/campaigns §10)."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.audit.services import record
from apps.campaigns.models import Campaign, CampaignRecipient, RecipientState
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.common.reasons import ReasonCode
from apps.companies.queries import zone_of

BATCH = 2000
TIMES = (
    "sent_at",
    "reached_at",
    "read_at",
    "answered_at",
    "confirmation_requested_at",
    "confirmed_at",
)
HEADS = {
    "pt": (
        *("nome", "numero", "email", "situação", "texto", "motivo"),
        *("enviada", "entregue", "lida", "respondida", "confirmação pedida", "confirmada"),
    ),
    "en": (
        *("name", "number", "email", "state", "text", "reason"),
        *("sent", "delivered", "read", "answered", "confirmation requested", "confirmed"),
    ),
    "es": (
        *("nombre", "número", "email", "estado", "texto", "motivo"),
        *("enviada", "entregada", "leída", "respondida", "confirmación pedida", "confirmada"),
    ),
}
STATES = {
    "pt": {
        RecipientState.PENDING: "a enviar",
        RecipientState.ASKING: "pedindo confirmação",
        RecipientState.ASKED: "aguardando confirmação",
        RecipientState.CONFIRMED: "confirmou, a enviar",
        RecipientState.QUEUED: "na fila de envio",
        RecipientState.SENT: "enviada",
        RecipientState.FAILED: "falhou",
        RecipientState.SKIPPED: "pulada",
        RecipientState.NOT_CONFIRMED: "não confirmou",
    },
    "en": {
        RecipientState.PENDING: "to be sent",
        RecipientState.ASKING: "asking for confirmation",
        RecipientState.ASKED: "awaiting confirmation",
        RecipientState.CONFIRMED: "confirmed, to be sent",
        RecipientState.QUEUED: "waiting to leave",
        RecipientState.SENT: "sent",
        RecipientState.FAILED: "failed",
        RecipientState.SKIPPED: "skipped",
        RecipientState.NOT_CONFIRMED: "not confirmed",
    },
    "es": {
        RecipientState.PENDING: "por enviar",
        RecipientState.ASKING: "pidiendo confirmación",
        RecipientState.ASKED: "esperando confirmación",
        RecipientState.CONFIRMED: "confirmó, por enviar",
        RecipientState.QUEUED: "en la cola de envío",
        RecipientState.SENT: "enviada",
        RecipientState.FAILED: "falló",
        RecipientState.SKIPPED: "omitida",
        RecipientState.NOT_CONFIRMED: "no confirmó",
    },
}
# Reasons with a text of ours; for others the provider's sentence is exported.
REASONS: dict[str, dict[str, str]] = {
    "pt": {
        ReasonCode.OPTED_OUT: "pediu para não receber campanhas",
        ReasonCode.NOT_REACHABLE: "não está no WhatsApp",
        ReasonCode.NO_NUMBER: "sem número",
        ReasonCode.LED_ELSEWHERE: "outro agente conduz a conversa",
        ReasonCode.TEMPLATE_ASSESSED: "a Meta avalia o modelo antes de entregar",
        ReasonCode.WINDOW_CLOSED: "fora da janela de 24 horas, sem modelo",
        ReasonCode.DATA_MISSING: "faltam dados para o modelo ou o texto",
        ReasonCode.TICKET_DELETED: "o atendimento foi excluído antes do envio",
        ReasonCode.MARKETING_STOPPED: "parou as mensagens de marketing na Meta",
        ReasonCode.KEPT_BACK: "a Meta reteve a mensagem para poupar a pessoa",
    },
    "en": {
        ReasonCode.OPTED_OUT: "asked for no more campaigns",
        ReasonCode.NOT_REACHABLE: "is not on WhatsApp",
        ReasonCode.NO_NUMBER: "has no number",
        ReasonCode.LED_ELSEWHERE: "another agent leads the conversation",
        ReasonCode.TEMPLATE_ASSESSED: "Meta assesses the template before delivering",
        ReasonCode.WINDOW_CLOSED: "outside the 24-hour window, without a template",
        ReasonCode.DATA_MISSING: "data for the template or the text are missing",
        ReasonCode.TICKET_DELETED: "the conversation was deleted before it was sent",
        ReasonCode.MARKETING_STOPPED: "stopped marketing messages at Meta",
        ReasonCode.KEPT_BACK: "Meta kept it back to spare the person",
    },
    "es": {
        ReasonCode.OPTED_OUT: "pidió no recibir campañas",
        ReasonCode.NOT_REACHABLE: "no está en WhatsApp",
        ReasonCode.NO_NUMBER: "sin número",
        ReasonCode.LED_ELSEWHERE: "otro agente conduce la conversación",
        ReasonCode.TEMPLATE_ASSESSED: "Meta evalúa la plantilla antes de entregar",
        ReasonCode.WINDOW_CLOSED: "fuera de la ventana de 24 horas, sin plantilla",
        ReasonCode.DATA_MISSING: "faltan datos para la plantilla o el texto",
        ReasonCode.TICKET_DELETED: "la conversación se eliminó antes del envío",
        ReasonCode.MARKETING_STOPPED: "detuvo los mensajes de marketing en Meta",
        ReasonCode.KEPT_BACK: "Meta lo retuvo para no saturar a la persona",
    },
}


def export_recipients(
    *,
    actor: User,
    campaign: Campaign,
    recipients: QuerySet[CampaignRecipient],
    language: str,
    ip_address: str | None = None,
) -> Iterator[bytes]:
    """Return, in parts, a CSV file of some of a campaign's recipients.

    The export is audited at the call; rows are read while the parts are consumed. Times are in the
    company's zone.
    """
    record(
        action="campaign.exported",
        actor=actor,
        company_id=actor.company_id,
        target=campaign,
        detail={"name": campaign.name, "count": recipients.order_by().count()},
        ip_address=ip_address,
    )
    return _parts(recipients, language if language in HEADS else "pt", zone_of(actor.company_id))


def _parts(recipients: QuerySet[CampaignRecipient], language: str, zone: tzinfo) -> Iterator[bytes]:
    yield csv_head(HEADS[language])
    columns = ("pk", "name", "number", "email", "state", "variant", "reason_code", "error_reason")
    last = 0
    while rows := list(
        recipients.filter(pk__gt=last).order_by("pk").values_list(*columns, *TIMES)[:BATCH]
    ):
        lines: list[list[object]] = []
        for pk, name, number, email, state, variant, reason, sentence, *times in rows:
            last = pk
            why = REASONS[language].get(reason) or sentence or reason
            lines.append(
                [
                    *map(plain_cell, (name, number, email)),
                    STATES[language][RecipientState(state)],
                    variant or "",
                    plain_cell(why),
                    *(_local(moment, zone) for moment in times),
                ]
            )
        yield csv_rows(lines)


def _local(moment: datetime | None, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}" if moment else ""
