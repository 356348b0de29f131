"""The Django admin for the operator: names in Portuguese, times in the operator's zone.

The names are given here, not in the models: a `verbose_name` of a model belongs to its migrations.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.queries import zone_of


class Names(NamedTuple):
    one: str
    many: str


APPS = {
    "accounts": "Usuários",
    "audit": "Auditoria",
    "auth": "Grupos",
    "automation": "Integrações",
    "billing": "Cobrança",
    "companies": "Empresas",
    "connections": "Conexões",
    "costs": "Custos",
    "inbound": "Recebimento",
    "mail": "E-mails",
    "movein": "Importações",
    "tickets": "Atendimentos",
}

MODELS = {
    "accounts.user": Names("usuário", "usuários"),
    "audit.auditentry": Names("registro de auditoria", "registros de auditoria"),
    "automation.integrationcall": Names("chamada de integração", "chamadas de integrações"),
    "automation.tokenuse": Names("uso de tokens de IA", "usos de tokens de IA"),
    "automation.webhookdelivery": Names("entrega de webhook", "entregas de webhooks"),
    "billing.invoice": Names("fatura", "faturas"),
    "billing.payment": Names("pagamento", "pagamentos"),
    "billing.pixcharge": Names("cobrança Pix", "cobranças Pix"),
    "billing.pixnotice": Names("aviso de Pix", "avisos de Pix"),
    "billing.plan": Names("plano", "planos"),
    "companies.company": Names("empresa", "empresas"),
    "connections.operatoraccount": Names("conta da Meta do operador", "contas da Meta do operador"),
    "costs.messageprice": Names("preço de mensagem", "preços de mensagens"),
    "costs.serviceallowance": Names("franquia de mensagens", "franquias de mensagens"),
    "inbound.inboundevent": Names("evento recebido", "eventos recebidos"),
    "mail.mail": Names("e-mail", "e-mails"),
    "movein.movein": Names("importação", "importações"),
    "tickets.delivery": Names("envio de mensagem", "envios de mensagens"),
    "tickets.mediafetch": Names("arquivo a buscar", "arquivos a buscar"),
}

# By the name of a field, in whatever model it is.
FIELDS = {
    "action": "ação",
    "actor": "autor",
    "actor_name": "nome do autor",
    "address": "endereço",
    "address_city": "cidade",
    "address_district": "bairro",
    "address_state": "estado",
    "address_street": "endereço",
    "address_zip_code": "CEP",
    "attempt": "tentativa",
    "attempts": "tentativas",
    "author": "autor",
    "author_name": "nome do autor",
    "billing_name": "nome para cobrança",
    "body": "texto",
    "campaigns": "campanhas",
    "category": "categoria",
    "charge": "cobrança",
    "code": "código",
    "company": "empresa",
    "completion_tokens": "tokens da resposta",
    "connection": "conexão",
    "connections": "conexões",
    "contact": "contato",
    "country": "país",
    "created_at": "criado em",
    "currency": "moeda",
    "deducted": "descontado",
    "deleted_at": "excluída em",
    "detail": "detalhe",
    "due_date": "vencimento",
    "duration_ms": "duração (ms)",
    "email": "e-mail",
    "error": "erro",
    "event": "evento",
    "event_id": "id do evento",
    "expires_at": "expira em",
    "extended_days": "dias acrescentados",
    "file": "arquivo da pasta",
    "finished_at": "terminado em",
    "goes": "importa",
    "integration": "integração",
    "invoice": "fatura",
    "ip_address": "endereço IP",
    "is_active": "ativo",
    "is_enabled": "ativa",
    "is_public": "público",
    "is_replaced": "substituída",
    "is_super": "superusuário",
    "is_supervisor": "supervisor",
    "role": "papel",
    "is_voice": "áudio gravado",
    "is_written": "escrito por alguém",
    "kind": "tipo",
    "last_error": "último erro",
    "lease_expires_at": "reservado até",
    "leaves_until": "sai até",
    "media_folder": "pasta de mídia",
    "media_id": "id do arquivo",
    "message": "mensagem",
    "message_id": "id da mensagem",
    "messages": "mensagens",
    "model": "modelo",
    "name": "nome",
    "next_attempt_at": "próxima tentativa em",
    "object_id": "id do objeto",
    "object_type": "tipo do objeto",
    "online_until": "presente até",
    "opens_next": "abre a próxima conversa",
    "outcome": "resultado",
    "owner": "reservado por",
    "paid_at": "paga em",
    "partition": "conversa",
    "payload": "conteúdo",
    "phone": "telefone",
    "plan": "plano",
    "previous_plan": "plano anterior",
    "price": "preço",
    "profile": "perfil",
    "progress": "andamento",
    "prompt": "prompt",
    "prompt_tokens": "tokens da pergunta",
    "provider": "provedor",
    "queues": "filas",
    "reason_code": "motivo",
    "reason_detail": "detalhe do motivo",
    "received_at": "recebido em",
    "recipient": "destinatário",
    "recurrence": "recorrência",
    "reference": "referência",
    "refunded": "devolvido",
    "reply_to": "resposta para",
    "report": "relatório",
    "request_body": "conteúdo enviado",
    "response_text": "resposta",
    "schedules": "agendamentos",
    "secret": "segredo",
    "state": "situação",
    "status": "situação",
    "status_code": "código HTTP",
    "subject": "assunto",
    "taken_days": "dias retirados",
    "ticket": "atendimento",
    "token_version": "versão do token",
    "trial_expires_on": "teste até",
    "turn": "vez",
    "txid": "txid",
    "updated_at": "alterado em",
    "upload": "arquivo enviado",
    "url": "endereço",
    "use_campaigns": "com campanhas",
    "use_external_api": "com API externa",
    "use_integrations": "com integrações",
    "use_internal_chat": "com chat interno",
    "use_kanban": "com kanban",
    "use_open_ai": "com OpenAI",
    "use_schedules": "com agendamentos",
    "useless_at": "inútil depois de",
    "user": "pessoa",
    "users": "usuários",
    "valid_from": "vale desde",
    "value": "valor",
    "waba_id": "conta (waba_id)",
    "webhook": "webhook",
    "withdrawn_at": "retirada em",
}
# A company's `schedules` are its working hours.
OF_MODEL = {("companies.company", "schedules"): "horário de atendimento"}


def name_in_portuguese() -> None:
    """Name the apps, models and fields of the admin's pages."""
    for label, name in APPS.items():
        apps.get_app_config(label).verbose_name = name
    for model in apps.get_models():
        meta = model._meta
        if names := MODELS.get(meta.label_lower):
            meta.verbose_name, meta.verbose_name_plural = names
        if not admin.site.is_registered(model):
            continue
        for field in meta.fields:
            words = OF_MODEL.get((meta.label_lower, field.name)) or FIELDS.get(field.name)
            if words:
                field.verbose_name = words


def in_operators_zone(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Show and read times of the admin in the zone of the super user's own company."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith("/admin/") or not isinstance(request.user, User):
            return get_response(request)
        with timezone.override(zone_of(request.user.company_id)):
            return get_response(request)

    return answer
