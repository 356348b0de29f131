"""How the tenancy tests try every call of the API; see `tests/calls/test_tenancy.py`.

Paths and bodies name their subject in acme as `{ticket}`, and what the outsider rightly owns as
`{own_contact}`.
"""

import uuid
from dataclasses import dataclass, field
from typing import Any

from apps.companies.models import default_schedules
from tests.factories import PASSWORD


@dataclass(frozen=True)
class Row:
    """How to try one call.

    `outsider` says what must happen to the outsider: `404`; `hidden` (a success that shows and
    changes nothing of acme's); `refused` (any 4xx, for bodies with foreign ids). `least` are the
    statuses that the least role may get; by default a success.
    """

    path: str
    outsider: str
    body: dict[str, Any] = field(default_factory=dict)
    least: tuple[int, ...] = (200, 201)


def one(path: str, body: dict[str, Any] | None = None, **options: Any) -> Row:
    """Return the row of a call on one record of acme's, which is a 404 to the outsider."""
    return Row(path, "404", body or {}, **options)


def hidden(path: str, body: dict[str, Any] | None = None) -> Row:
    """Return the row of a call that serves each company its own."""
    return Row(path, "hidden", body or {})


def linking(path: str, body: dict[str, Any], **options: Any) -> Row:
    """Return the row of a call whose body names records, acme's being refused to the outsider."""
    return Row(path, "refused", body, **options)


DIALOG_USER = {"name": "Nova", "email": "nova@example.com", "password": "12345"}
ROLE = {"name": "Caixa", "permissions": ["tickets:take"]}
QUEUE = {"name": "Nova", "color": "#abcdef", "orderQueue": 1}
IDS = {
    "phone_number_id": "700000000000001",
    "waba_id": "800000000000001",
    "accessToken": "EAAG",
}
TEMPLATE = {"name": "nova", "language": "pt_BR", "category": "UTILITY", "body": "Olá!"}
NUMBER = {"name": "Nova", "provider": "official", **IDS}

RETENTION = {"messagesYears": 5, "mediaMonths": None, "logsDays": 7}
FILE_LIST = {"name": "Nova", "message": "Segue.", "options": [{"name": "Catálogo"}]}
INTEGRATION = {"type": "webhook", "name": "Nova", "urlN8N": "https://example.com/fluxo"}
WEBHOOK = {"name": "Novo", "url": "https://example.com/avisos", "events": ["message.received"]}
RULE = {
    "trigger": {"when": "queue_changed", "ids": ["{queue}"]},
    "actions": [{"do": "note", "text": "Chegou."}],
}
MACRO = {"name": "Nova", "actions": [{"do": "add_tag", "id": "{tag}"}]}
PROMPT = {
    "name": "Nova",
    "prompt": "Responda.",
    "queueId": "{queue}",
    "apiKey": "sk-nova",
    "baseUrl": "https://modelo.invalid/v1",
}

EMAIL = {"email": "maria@example.com", "assunto": "Olá", "mensagem": "Tudo bem?"}
SCHEDULE = {"body": "Até amanhã!", "sendAt": "2999-01-31T09:00"}

ROWS: dict[tuple[str, str], Row] = {
    ("me", "GET"): hidden("/auth/me"),
    ("me", "PUT"): hidden("/auth/me", {"opensNext": False}),
    ("two-factor", "GET"): hidden("/auth/two-factor"),
    ("two-factor", "POST"): Row("/auth/two-factor", "hidden", {"currentPassword": PASSWORD}),
    ("two-factor", "PUT"): Row("/auth/two-factor", "refused", {"code": "000000"}, least=(409,)),
    ("two-factor", "DELETE"): hidden("/auth/two-factor", {"currentPassword": PASSWORD}),
    ("recovery-codes", "POST"): Row(
        "/auth/two-factor/recovery-codes", "refused", {"currentPassword": PASSWORD}, least=(409,)
    ),
    ("sign-ins", "GET"): hidden("/auth/sign-ins"),
    ("users-list", "GET"): hidden("/users/?searchParam="),
    ("users-list", "POST"): linking("/users", {**DIALOG_USER, "queueIds": ["{queue}"]}),
    ("users-options", "GET"): hidden("/users/list?companyId={company}"),
    ("users-detail", "GET"): one("/users/{agent}"),
    ("users-detail", "PUT"): one("/users/{agent}", {"name": "Outro nome"}),
    ("users-detail", "DELETE"): one("/users/{agent}"),
    ("roles-list", "GET"): hidden("/roles"),
    ("roles-list", "POST"): hidden("/roles", ROLE),
    ("roles-detail", "GET"): one("/roles/{role}"),
    ("roles-detail", "PUT"): one("/roles/{role}", {"name": "Outro nome"}),
    ("roles-detail", "DELETE"): one("/roles/{role}"),
    ("users-two-factor", "GET"): one("/users/{agent}/two-factor"),
    ("users-two-factor", "DELETE"): one("/users/{agent}/two-factor"),
    ("audit-log", "GET"): hidden("/audit-log"),
    ("company-archive", "GET"): hidden("/company-archive"),
    ("company-archive", "POST"): hidden("/company-archive", {"withMedia": False}),
    ("company-archive", "DELETE"): Row("/company-archive", "refused", least=(404,)),
    ("emails", "GET"): hidden("/emails"),
    ("emails", "POST"): hidden("/emails", EMAIL),
    ("emails-detail", "GET"): one("/emails/{email}"),
    ("emails-resend", "POST"): one("/emails/{email}/resend"),
    ("emails-older-send", "POST"): hidden("/enviar-email", {**EMAIL, "tokenSenha": "x"}),
    ("emails-older-list", "GET"): hidden("/listar-emails-enviados"),
    ("report-conversations", "GET"): hidden("/reports/conversations?dateFrom=2026-01-01"),
    ("report-conversations-export", "GET"): hidden("/reports/conversations/export?file=csv"),
    ("report-figures", "GET"): hidden("/reports/figures?clock=open"),
    ("report-activity", "GET"): hidden("/reports/activity"),
    ("report-activity-export", "GET"): hidden("/reports/activity/export"),
    ("costs", "GET"): hidden("/costs?groupBy=ticket&dateFrom=2026-01-01&dateTo=2026-12-31"),
    ("costs-meter", "GET"): hidden("/costs/meter"),
    ("costs-export", "GET"): hidden("/costs/export?groupBy=ticket"),
    ("costs-texts", "GET"): hidden("/costs/automatic-texts"),
    ("costs-text-stop", "POST"): one(
        "/costs/automatic-texts/stop", {"origin": "out_of_hours", "id": "{queue}"}
    ),
    ("costs-text-resume", "POST"): one(
        "/costs/automatic-texts/resume", {"origin": "greeting", "id": "{queue}"}
    ),
    ("tickets-cost", "GET"): one("/tickets/{ticket}/cost"),
    ("dashboard", "GET"): hidden("/dashboard?days=30"),
    ("dashboard-breakdown", "GET"): hidden("/dashboard/breakdown?days=30"),
    ("dashboard-tags", "GET"): hidden("/dashboard/tags?days=30"),
    ("dashboard-export", "GET"): hidden("/dashboard/export?days=30"),
    ("dashboard-status", "GET"): hidden("/dashboard/status"),
    ("dashboard-tickets", "GET"): hidden("/dashboard/tickets?date_from=2020-01-01"),
    ("dashboard-users", "GET"): hidden("/dashboard/users?date_from=2020-01-01"),
    ("company-plan", "GET"): one("/companies/listPlan/{company}"),
    ("companies-list", "GET"): hidden("/companies?searchParam="),
    ("companies-list", "POST"): linking("/companies", {"name": "Nova", "planId": "{plan}"}),
    ("companies-options", "GET"): hidden("/companies/list"),
    ("invoices-list", "GET"): hidden("/invoices/all"),
    ("invoices-detail", "GET"): one("/invoices/{invoice}"),
    ("subscription", "GET"): hidden("/subscription"),
    # Acme's plan costs nothing, so there is none to pay for.
    ("subscription", "POST"): one("/subscription", {"invoiceId": "{invoice}"}, least=(400,)),
    ("billing-list", "GET"): linking("/billing", {}),
    ("billing-detail", "GET"): linking("/billing/{invoice}", {}),
    ("billing-payments", "POST"): linking("/billing/{invoice}/payments", {"value": "1.00"}),
    ("billing-cancel", "POST"): linking("/billing/{invoice}/cancel", {}),
    ("billing-credit", "POST"): linking("/billing/{invoice}/credit", {"value": "1.00"}),
    ("billing-refund", "POST"): linking("/billing/{invoice}/refund", {"payment": 1}, least=(404,)),
    ("subscription-plan", "GET"): hidden("/subscription/plan"),
    ("subscription-plan", "POST"): linking("/subscription/plan", {"plan": "{plan}"}, least=(409,)),
    ("companies-detail", "GET"): one("/companies/{company}"),
    ("companies-detail", "PUT"): one("/companies/{company}", {"billingName": "Outro nome"}),
    ("companies-detail", "DELETE"): linking("/companies/{company}", {}),
    ("plans-all", "GET"): linking("/plans/all", {}),
    ("plans-list", "POST"): linking("/plans", {"name": "Plano novo"}),
    ("plans-detail", "GET"): one("/plans/{plan}"),
    ("plans-detail", "PUT"): linking("/plans/{plan}", {"name": "Plano novo"}),
    ("plans-detail", "DELETE"): linking("/plans/{unused_plan}", {}),
    ("company-schedules", "GET"): one("/companies/{company}/schedules"),
    ("company-schedules", "PUT"): one(
        "/companies/{company}/schedules", {"schedules": default_schedules()}
    ),
    ("settings-list", "GET"): hidden("/settings"),
    ("retention", "GET"): hidden("/retention"),
    ("retention", "PUT"): hidden("/retention", RETENTION),
    ("retention", "DELETE"): hidden("/retention"),
    ("retention-preview", "GET"): hidden("/retention/preview?messagesYears=1"),
    ("retention-defaults", "GET"): linking("/retention/defaults", {}),
    ("retention-defaults", "PUT"): linking("/retention/defaults", RETENTION),
    ("settings-detail", "GET"): hidden("/settings/asaas"),
    ("settings-detail", "PUT"): hidden("/settings/call", {"value": "disabled"}),
    ("settings-detail", "DELETE"): hidden("/settings/asaas"),
    ("queues-list", "GET"): hidden("/queue?companyId={company}"),
    ("queues-list", "POST"): linking("/queue", {**QUEUE, "promptId": "{prompt}"}),
    ("queues-detail", "GET"): one("/queue/{queue}"),
    ("queues-detail", "PUT"): one("/queue/{queue}", {"name": "Outro nome"}),
    ("queues-detail", "DELETE"): one("/queue/{queue}"),
    ("queues-usage", "GET"): one("/queue/{queue}/usage"),
    ("queues-assignment", "GET"): one("/queue/{queue}/assignment"),
    ("queues-assignment", "PUT"): one("/queue/{queue}/assignment", {"graceMinutes": 7}),
    ("team", "GET"): hidden("/team"),
    ("team-member", "PUT"): one("/team/{agent}", {"capacity": 5}),
    ("team-tickets", "GET"): one("/team/{agent}/tickets"),
    ("team-moves", "POST"): one(
        "/team/moves", {"ticketId": "{ticket}", "fromUserId": "{agent}", "toUserId": "{admin}"}
    ),
    ("sla", "GET"): hidden("/sla"),
    ("sla", "POST"): linking("/sla", {"queueId": "{queue}", "firstAnswerMinutes": 15}),
    ("sla-policy", "PUT"): one(
        "/sla/{sla_policy}", {"priority": "urgent", "firstAnswerMinutes": 10}
    ),
    ("sla-policy", "DELETE"): one("/sla/{sla_policy}"),
    ("sla-report", "GET"): hidden("/sla/report?days=30"),
    ("sla-missed", "GET"): hidden("/sla/missed?days=30"),
    ("rehearsals", "GET"): hidden("/rehearsals"),
    ("rehearsals", "POST"): linking(
        "/rehearsals", {"subject": "assignment", "days": 7, "queueId": "{queue}"}
    ),
    ("rehearsal", "GET"): one("/rehearsals/{rehearsal}"),
    ("rehearsal", "DELETE"): one("/rehearsals/{rehearsal}"),
    ("rules", "GET"): hidden("/rules"),
    ("rules", "POST"): linking("/rules", RULE),
    ("rules-order", "PUT"): linking("/rules/order", {"ids": ["{rule}"]}),
    ("rules-runs", "GET"): hidden("/rules/runs?ruleId={rule}"),
    ("rule", "PUT"): one("/rules/{rule}", RULE),
    ("rule", "DELETE"): one("/rules/{rule}"),
    ("rule-switch", "PUT"): one("/rules/{rule}/switch", {"isOn": False}),
    ("macros", "GET"): hidden("/macros"),
    ("macros", "POST"): linking("/macros", MACRO),
    ("macro", "PUT"): one("/macros/{macro}", MACRO),
    ("macro", "DELETE"): one("/macros/{macro}"),
    ("macro-undo", "POST"): one("/macros/runs/{macro_run}/undo"),
    ("tickets-macros", "POST"): one("/tickets/{ticket}/macros", {"macroId": "{macro}"}),
    ("holidays", "GET"): hidden("/holidays?year=2026"),
    ("presence", "GET"): hidden("/presence"),
    # Nothing is distributed, so there is no presence to choose.
    ("presence-own", "PUT"): linking("/presence/me", {"presence": "online"}, least=(409,)),
    ("presence-person", "PUT"): one("/presence/{agent}", {"presence": "online"}, least=(409,)),
    ("presence-timeline", "GET"): one("/presence/timeline?userId={agent}"),
    ("pause-reasons", "GET"): hidden("/pause-reasons"),
    ("pause-reasons", "POST"): hidden("/pause-reasons", {"name": "Almoço", "minutes": 60}),
    ("pause-reasons-one", "PUT"): one("/pause-reasons/{pause_reason}", {"name": "Café"}),
    ("pause-reasons-one", "DELETE"): one("/pause-reasons/{pause_reason}"),
    ("queue-forms", "GET"): one("/queue/{queue}/forms"),
    ("queues-test-chat", "POST"): linking(
        "/queue/test-chat", {"queue": {"name": "Nova"}, "queueId": "{queue}", "text": "Oi"}
    ),
    ("typebot-flow", "POST"): hidden(
        "/typebot-flow",
        {"flow": {"version": "6.1", "groups": [{"id": "a", "title": "Oi", "blocks": []}]}},
    ),
    ("queue-options-list", "GET"): hidden("/queue-options?queueId={queue}&parentId=-1"),
    ("queue-options-list", "POST"): linking(
        "/queue-options", {"title": "Nova", "queueId": "{queue}", "parentId": -1}
    ),
    ("queue-options-detail", "PUT"): one("/queue-options/{option}", {"title": "Outro título"}),
    ("queue-options-detail", "DELETE"): one("/queue-options/{option}"),
    # The file itself is tried by the app's own tests.
    ("queue-options-file", "POST"): one("/queue-options/{option}/media-upload", least=(400,)),
    ("queue-options-file", "DELETE"): one("/queue-options/{option}/media-upload"),
    ("connections-list", "GET"): hidden("/whatsapp/?session=0&companyId={company}"),
    ("connections-list", "POST"): linking("/whatsapp", {**NUMBER, "queueIds": ["{queue}"]}),
    ("connections-detail", "GET"): one("/whatsapp/{connection}?session=0"),
    ("connections-detail", "PUT"): one("/whatsapp/{connection}", {"name": "Outro nome"}),
    ("connections-detail", "DELETE"): one("/whatsapp/{second_connection}"),
    ("connections-token", "POST"): one("/whatsapp/{connection}/token"),
    ("connections-token", "DELETE"): one("/whatsapp/{connection}/token"),
    ("connections-alerts", "DELETE"): one("/whatsapp/{connection}/alerts"),
    ("connections-phone", "POST"): one(
        "/whatsapp/{connection}/phone", {"kind": "history"}, least=(409,)
    ),
    ("connections-health", "GET"): one("/whatsapp/{connection}/health"),
    ("connections-health", "POST"): one("/whatsapp/{connection}/health", least=(200, 424)),
    ("connections-profile", "GET"): one("/whatsapp/{connection}/profile", least=(200, 424)),
    ("connections-profile", "PUT"): one(
        "/whatsapp/{connection}/profile", {"about": "Aberto"}, least=(200, 424)
    ),
    ("connections-test", "POST"): one(
        "/whatsapp/{connection}/test",
        {"number": "5511987654321", "body": "Oi", "clientId": str(uuid.uuid4())},
        least=(201, 409),
    ),
    # The provider is not there, which is part of the answer.
    ("connections-check", "POST"): linking(
        "/whatsapp/check", {**IDS, "step": "token", "id": "{connection}"}
    ),
    ("connections-signup", "GET"): hidden("/whatsapp/signup"),
    # Meta, which is not there, is to exchange the code first.
    ("connections-signup", "POST"): linking(
        "/whatsapp/signup", {"code": "c", "waba_id": "200000000000001"}, least=(424,)
    ),
    ("connections-webhook", "GET"): hidden("/whatsapp/webhook"),
    # Meta, which is not there, is asked for the list first.
    # The least role reaches the provider, which is not there.
    ("connections-products", "GET"): one("/whatsapp/{connection}/products", least=(424,)),
    ("connections-templates", "POST"): one(
        "/whatsapp/{connection}/templates", TEMPLATE, least=(424,)
    ),
    ("connections-template", "PUT"): one(
        "/whatsapp/{connection}/templates/1", TEMPLATE, least=(424,)
    ),
    ("connections-template", "DELETE"): one("/whatsapp/{connection}/templates/1", least=(424,)),
    ("connections-template-library", "GET"): one(
        "/whatsapp/{connection}/template-library", least=(424,)
    ),
    ("connections-template-library", "POST"): one(
        "/whatsapp/{connection}/template-library",
        {"libraryName": "delivery_update_1", "name": "entrega", "language": "pt_BR"},
        least=(424,),
    ),
    # The file itself is tried by the app's own tests.
    ("connections-template-samples", "POST"): one(
        "/whatsapp/{connection}/templates/samples", least=(400, 415)
    ),
    # The least role reaches the provider, which is not there.
    ("connections-session", "POST"): one("/whatsappsession/{connection}", least=(200, 400, 409)),
    ("connections-session", "PUT"): one("/whatsappsession/{connection}", least=(200, 400, 409)),
    ("connections-session", "DELETE"): one("/whatsappsession/{connection}"),
    ("contacts-list", "GET"): hidden("/contacts/?searchParam="),
    ("contacts-list", "POST"): hidden("/contacts", {"name": "Nova", "number": "5511977776666"}),
    ("contacts-options", "GET"): hidden("/contacts/list?companyId={company}"),
    ("contacts-number", "GET"): hidden("/contacts/number?number=11980000200"),
    ("contacts-delete", "POST"): hidden("/contacts/delete", {"ids": ["{contact}"]}),
    # An official number has no address book, to its own people and to the outsider's.
    ("contacts-import", "POST"): linking("/contacts/import", {}, least=(400,)),
    ("contacts-import-file", "POST"): linking("/contacts/import-file", {}, least=(400,)),
    ("contacts-import-file-preview", "POST"): linking(
        "/contacts/import-file/preview", {}, least=(400,)
    ),
    ("tickets-assignments", "GET"): one("/tickets/{ticket}/assignments"),
    ("tickets-clocks", "GET"): one("/tickets/{ticket}/clocks"),
    ("contacts-import-current", "GET"): hidden("/contacts/imports/current"),
    ("contacts-import-cancel", "POST"): one(
        "/contacts/imports/{contact_import}/cancel", least=(403,)
    ),
    ("contacts-import-faults", "GET"): one("/contacts/imports/{contact_import}/errors"),
    ("contacts-export", "GET"): hidden("/contacts/export?searchParam="),
    ("contacts-detail", "GET"): one("/contacts/{contact}"),
    ("contacts-detail", "PUT"): one(
        "/contacts/{contact}", {"name": "Outro nome", "number": "5511977776666"}
    ),
    ("contacts-detail", "DELETE"): one("/contacts/{contact}"),
    ("contacts-data", "GET"): one("/contacts/{contact}/data"),
    ("contacts-erase", "POST"): one("/contacts/{contact}/erase"),
    ("contacts-merge", "POST"): one("/contacts/{contact}/merge", {"contactId": "{new_contact}"}),
    ("contacts-merges", "GET"): one("/contacts/{contact}/merges"),
    ("contacts-merge-undo", "POST"): one("/contacts/merges/{merge}/undo"),
    ("contacts-tickets", "GET"): one("/contacts/{contact}/tickets"),
    ("contacts-media", "GET"): one("/contacts/{contact}/media"),
    ("chats-list", "GET"): hidden("/chats/?searchParam="),
    ("chats-list", "POST"): linking("/chats", {"title": "Nova", "users": ["{admin}"]}),
    ("chats-detail", "GET"): one("/chats/{chat}"),
    ("chats-detail", "PUT"): one("/chats/{chat}", {"title": "Outro", "users": ["{admin}"]}),
    ("chats-detail", "DELETE"): one("/chats/{chat_uuid}"),
    ("chats-read", "POST"): one("/chats/{chat}/read", {"userId": "{agent}"}),
    ("chats-leave", "POST"): one("/chats/{chat}/leave"),
    ("chats-messages", "GET"): one("/chats/{chat}/messages?pageNumber=1"),
    ("chats-messages", "POST"): one("/chats/{chat}/messages", {"message": "Oi"}),
    ("announcements-list", "GET"): hidden("/announcements/?searchParam="),
    ("announcements-list", "POST"): linking("/announcements", {"title": "Nova", "text": "Oi"}),
    ("announcements-detail", "GET"): hidden("/announcements/{announcement}"),
    ("announcements-detail", "PUT"): linking("/announcements/{announcement}", {"title": "Outro"}),
    ("announcements-detail", "DELETE"): linking("/announcements/{announcement}", {}),
    # The file itself is tried by the app's own tests.
    ("announcements-media", "POST"): linking(
        "/announcements/{announcement}/media-upload", {}, least=(400,)
    ),
    ("announcements-media", "DELETE"): linking("/announcements/{announcement}/media-upload", {}),
    ("helps-list", "GET"): hidden("/helps/?searchParam="),
    ("helps-list", "POST"): linking("/helps", {"title": "Nova", "video": "dQw4w9WgXcQ"}),
    ("helps-all", "GET"): hidden("/helps/list"),
    ("helps-detail", "GET"): hidden("/helps/{help}"),
    ("helps-detail", "PUT"): linking("/helps/{help}", {"title": "Outra"}),
    ("helps-detail", "DELETE"): linking("/helps/{help}", {}),
    ("quick-messages-list", "GET"): hidden("/quick-messages/?searchParam=&userId={agent}"),
    ("quick-messages-list", "POST"): hidden("/quick-messages", {"shortcode": "nova"}),
    ("quick-messages-options", "GET"): hidden("/quick-messages/list?companyId={company}"),
    ("quick-messages-detail", "GET"): one("/quick-messages/{quick_message}"),
    ("quick-messages-detail", "PUT"): one("/quick-messages/{quick_message}", {"shortcode": "x"}),
    ("quick-messages-detail", "DELETE"): one("/quick-messages/{quick_message}"),
    # The file itself is tried by the app's own tests.
    ("quick-messages-file", "POST"): one(
        "/quick-messages/{quick_message}/media-upload", least=(400,)
    ),
    ("files-list", "GET"): hidden("/files/?searchParam=&companyId={company}"),
    ("files-list", "POST"): hidden("/files", FILE_LIST),
    ("files-detail", "GET"): one("/files/{file_list}"),
    ("files-detail", "PUT"): one("/files/{file_list}", FILE_LIST),
    ("files-detail", "DELETE"): one("/files/{file_list}"),
    ("files-upload", "POST"): one("/files/uploadList/{file_list}", least=(400,)),
    ("contact-lists-list", "GET"): hidden("/contact-lists/?searchParam="),
    ("contact-lists-list", "POST"): hidden("/contact-lists", {"name": "Nova"}),
    ("contact-lists-options", "GET"): hidden("/contact-lists/list?companyId={company}"),
    ("contact-lists-detail", "GET"): one("/contact-lists/{contact_list}"),
    ("contact-lists-detail", "PUT"): one("/contact-lists/{contact_list}", {"name": "Outra"}),
    ("contact-lists-detail", "DELETE"): one("/contact-lists/{contact_list}"),
    ("contact-lists-upload", "POST"): one("/contact-lists/{contact_list}/upload", least=(400,)),
    ("contact-lists-preview", "POST"): one(
        "/contact-lists/{contact_list}/upload/preview", least=(400,)
    ),
    ("contact-lists-faults", "GET"): one("/contact-lists/{contact_list}/upload/errors"),
    ("contact-list-items-list", "GET"): hidden(
        "/contact-list-items?searchParam=&contactListId={contact_list}"
    ),
    ("contact-list-items-list", "POST"): linking(
        "/contact-list-items",
        {"name": "Bia", "number": "5511988887777", "contactListId": "{contact_list}"},
    ),
    ("contact-list-items-detail", "GET"): one("/contact-list-items/{list_item}"),
    ("contact-list-items-detail", "PUT"): one("/contact-list-items/{list_item}", {"name": "Bia"}),
    ("contact-list-items-detail", "DELETE"): one("/contact-list-items/{list_item}"),
    ("segments-list", "GET"): hidden("/segments/?searchParam="),
    ("segments-list", "POST"): linking(
        "/segments", {"name": "Novo", "rules": {"tagIds": ["{tag}"], "queueIds": ["{queue}"]}}
    ),
    ("segments-options", "GET"): hidden("/segments/list"),
    ("segments-count", "POST"): linking("/segments/count", {"rules": {"tagIds": ["{tag}"]}}),
    ("segments-detail", "GET"): one("/segments/{segment}"),
    ("segments-detail", "PUT"): one("/segments/{segment}", {"name": "Outro"}),
    ("segments-detail", "DELETE"): one("/segments/{segment}"),
    ("opt-outs-list", "GET"): hidden("/opt-outs/?searchParam="),
    ("opt-outs-list", "POST"): hidden("/opt-outs", {"number": "5511988887777"}),
    ("opt-outs-detail", "DELETE"): one("/opt-outs/{opt_out}"),
    ("opt-outs-export", "GET"): hidden("/opt-outs/export"),
    ("campaigns-list", "GET"): hidden("/campaigns/?searchParam="),
    ("campaigns-list", "POST"): linking(
        "/campaigns",
        {"name": "Nova", "contactListId": "{contact_list}", "whatsappId": "{connection}"},
    ),
    ("campaigns-detail", "GET"): one("/campaigns/{campaign}"),
    ("campaigns-detail", "PUT"): one("/campaigns/{campaign}", {"name": "Outra"}),
    ("campaigns-detail", "DELETE"): one("/campaigns/{campaign}"),
    ("campaigns-media", "POST"): one("/campaigns/{campaign}/media-upload", least=(400,)),
    ("campaigns-media", "DELETE"): one("/campaigns/{campaign}/media-upload"),
    ("campaigns-estimate", "GET"): one("/campaigns/{campaign}/estimate"),
    ("campaigns-start", "POST"): one("/campaigns/{campaign}/start", least=(400,)),
    ("campaigns-trial", "POST"): one(
        "/campaigns/{campaign}/trial", {"numbers": ["5511988887777"]}, least=(400,)
    ),
    ("campaigns-cancel", "POST"): one("/campaigns/{campaign}/cancel", least=(409,)),
    ("campaigns-restart", "POST"): one("/campaigns/{campaign}/restart", least=(409,)),
    ("campaigns-report", "GET"): one("/campaigns/{campaign}/report"),
    ("campaigns-timeline", "GET"): one("/campaigns/{campaign}/timeline"),
    ("campaigns-recipients", "GET"): one("/campaigns/{campaign}/recipients?state=sent"),
    ("campaigns-recipients-export", "GET"): one("/campaigns/{campaign}/recipients/export"),
    ("campaigns-preview", "GET"): one("/campaigns/{campaign}/preview?contactId={contact}"),
    ("campaign-settings", "GET"): hidden("/campaign-settings"),
    ("campaign-settings", "POST"): hidden(
        "/campaign-settings", {"settings": {"messageInterval": 10}}
    ),
    ("quick-messages-file", "DELETE"): one("/quick-messages/{quick_message}/media-upload"),
    ("notes", "POST"): linking(
        "/ticket-notes", {"note": "Prefere manhã", "ticketId": "{ticket}", "contactId": "{contact}"}
    ),
    ("notes-list", "GET"): hidden("/ticket-notes/list?ticketId={ticket}&contactId={contact}"),
    ("notes-detail", "DELETE"): one("/ticket-notes/{note}"),
    ("tags-list", "GET"): hidden("/tags/?searchParam="),
    ("tags-list", "POST"): hidden("/tags", {"name": "Urgente", "color": "#C7302B", "kanban": 0}),
    ("tags-options", "GET"): hidden("/tags/list?searchParam="),
    ("tags-lanes", "GET"): hidden("/tags/kanban"),
    ("tags-detail", "GET"): one("/tags/{tag}"),
    ("tags-detail", "PUT"): one("/tags/{tag}", {"name": "Outro nome"}),
    ("tags-detail", "DELETE"): one("/tags/{tag}"),
    ("tickets-list", "GET"): hidden("/tickets?showAll=true&queueIds=[{queue}]&users=[{agent}]"),
    ("tickets-list", "POST"): linking(
        "/tickets", {"contactId": "{new_contact}", "queueId": "{queue}", "status": "open"}
    ),
    ("tickets-by-uuid", "GET"): one("/tickets/u/{ticket_uuid}"),
    ("tickets-counts", "GET"): hidden("/tickets/counts?showAll=true&queueIds=[{queue}]"),
    ("tickets-board", "GET"): hidden("/ticket/kanban?queueIds=[{queue}]"),
    ("tickets-drafts", "GET"): hidden("/tickets/drafts"),
    ("tickets-draft", "PUT"): one("/tickets/{ticket}/draft", {"text": "Oi"}, least=(204,)),
    ("tickets-writers", "GET"): one("/tickets/{ticket}/writers"),
    ("tickets-follows", "GET"): hidden("/tickets/follows"),
    ("tickets-follow", "PUT"): one("/tickets/{ticket}/follow"),
    ("tickets-follow", "DELETE"): one("/tickets/{ticket}/follow"),
    ("tickets-follow-seen", "PUT"): one("/tickets/{ticket}/follow/seen"),
    ("tickets-priority", "PUT"): one("/tickets/{ticket}/priority", {"priority": "urgent"}),
    ("tickets-snooze", "PUT"): one("/tickets/{ticket}/snooze", {"until": None}),
    ("tickets-snooze", "DELETE"): one("/tickets/{ticket}/snooze"),
    ("tickets-notes", "POST"): one("/tickets/{ticket}/notes", {"text": "Ligar amanhã"}),
    ("tickets-note", "DELETE"): one("/tickets/{ticket}/notes/{conversation_note}"),
    ("tickets-mentions", "GET"): hidden("/tickets/mentions"),
    ("tickets-mentions-seen", "PUT"): one("/tickets/{ticket}/mentions", least=(204,)),
    # Who leads is us already, so Meta is not asked.
    ("tickets-thread-control", "POST"): one("/tickets/{ticket}/thread-control", {"action": "take"}),
    ("tickets-detail", "GET"): one("/tickets/{ticket}"),
    ("tickets-detail", "PUT"): one("/tickets/{ticket}", {"status": "closed"}),
    ("tickets-detail", "DELETE"): one("/tickets/{ticket}"),
    ("ticket-tag", "PUT"): one("/ticket-tags/{ticket}/{tag}"),
    ("ticket-lane", "DELETE"): one("/ticket-tags/{ticket}"),
    ("tags-sync", "POST"): linking("/tags/sync", {"ticketId": "{ticket}", "tags": ["{tag}"]}),
    ("messages", "GET"): one("/messages/{ticket}"),
    ("messages", "POST"): one("/messages/{ticket}", {"body": "Oi"}),
    # What the provider can't take back, or has not failed, is refused to its own people too.
    ("messages", "DELETE"): one("/messages/{message}", least=(200, 400, 409)),
    ("messages-edit", "POST"): one(
        "/messages/edit/{message}", {"body": "Oi!"}, least=(200, 400, 409)
    ),
    ("messages-uploads", "POST"): one(
        "/messages/{ticket}/uploads", {"name": "a.pdf", "size": 1}, least=(404,)
    ),
    ("messages-resend", "POST"): one("/messages/{message}/resend", least=(200, 400, 409)),
    # The least role reaches the provider, which is not there; the form is no JSON.
    ("templates-list", "GET"): one("/templates?whatsappId={connection}", least=(424,)),
    ("templates-media", "POST"): linking("/template/media", {}, least=(415,)),
    ("templates-send", "POST"): one(
        "/templates/{ticket}",
        {"template": {"name": "ola", "language": "pt_BR"}, "components": []},
        least=(424,),
    ),
    ("messages", "PUT"): one("/messages/{message}", {"body": "Oi!"}, least=(200, 400, 409)),
    ("messages-search", "GET"): one("/messages/{ticket}/search?searchParam=segredo"),
    ("messages-reaction", "POST"): one("/messages/{message}/reaction", {"emoji": "👍"}),
    ("messages-forward", "GET"): one("/messages/{message}/forward?contactIds=[{contact}]"),
    ("messages-forward", "POST"): one("/messages/{message}/forward", {"contactIds": ["{contact}"]}),
    ("schedules-list", "GET"): hidden("/schedules/?contactId={contact}&searchParam="),
    ("schedules-list", "POST"): linking("/schedules", {**SCHEDULE, "contactId": "{contact}"}),
    ("schedules-detail", "GET"): one("/schedules/{schedule}"),
    ("schedules-detail", "PUT"): one("/schedules/{schedule}", {"body": "Outro texto"}),
    ("schedules-detail", "DELETE"): one("/schedules/{schedule}"),
    # No file comes along; one that has not failed is not sent again.
    ("schedules-media", "POST"): one("/schedules/{schedule}/media-upload", least=(400,)),
    ("schedules-media", "DELETE"): one("/schedules/{schedule}/media-upload"),
    ("schedules-retry", "POST"): one("/schedules/{schedule}/retry", least=(409,)),
    ("integrations-list", "GET"): hidden("/queueIntegration/?searchParam="),
    ("integrations-list", "POST"): hidden("/queueIntegration", INTEGRATION),
    ("integrations-detail", "GET"): one("/queueIntegration/{integration}"),
    ("integrations-detail", "PUT"): one("/queueIntegration/{integration}", INTEGRATION),
    ("integrations-detail", "DELETE"): one("/queueIntegration/{integration}"),
    ("integrations-secret", "POST"): one("/queueIntegration/{integration}/secret"),
    # Nobody answers there.
    ("integrations-test", "POST"): linking(
        "/queueIntegration/testSession",
        {
            "integrationId": "{integration}",
            "type": "webhook",
            "urlN8N": "https://fluxo.invalid/oi",
        },
        least=(424,),
    ),
    ("integrations-deliveries", "GET"): one("/queueIntegration/{integration}/deliveries"),
    ("integrations-delivery", "GET"): one("/queueIntegration/{integration}/deliveries/{delivery}"),
    ("integrations-redeliver", "POST"): one(
        "/queueIntegration/{integration}/deliveries/{delivery}/redeliver"
    ),
    ("service-tokens-list", "GET"): hidden("/service-tokens"),
    ("service-tokens-list", "POST"): hidden(
        "/service-tokens", {"name": "Meu robô", "scopes": ["read", "events"]}
    ),
    ("service-tokens-detail", "DELETE"): one("/service-tokens/{service_token}"),
    ("outgoing-webhooks-list", "GET"): hidden("/outgoing-webhooks/?searchParam="),
    ("outgoing-webhooks-list", "POST"): hidden("/outgoing-webhooks", WEBHOOK),
    ("outgoing-webhooks-detail", "GET"): one("/outgoing-webhooks/{webhook}"),
    ("outgoing-webhooks-detail", "PUT"): one("/outgoing-webhooks/{webhook}", WEBHOOK),
    ("outgoing-webhooks-detail", "DELETE"): one("/outgoing-webhooks/{webhook}"),
    ("outgoing-webhooks-secret", "POST"): one("/outgoing-webhooks/{webhook}/secret"),
    ("outgoing-webhooks-test", "POST"): one("/outgoing-webhooks/{webhook}/test"),
    ("outgoing-webhooks-deliveries", "GET"): one("/outgoing-webhooks/{webhook}/deliveries"),
    ("outgoing-webhooks-retry", "POST"): one(
        "/outgoing-webhooks/{webhook}/deliveries/{webhook_delivery}/retry"
    ),
    ("prompts-list", "GET"): hidden("/prompt/?searchParam=&pageNumber=1"),
    ("prompts-list", "POST"): linking("/prompt", PROMPT),
    ("prompts-detail", "GET"): one("/prompt/{prompt}"),
    ("prompts-detail", "PUT"): one("/prompt/{prompt}", {"name": "Outro nome"}),
    ("prompts-detail", "DELETE"): one("/prompt/{prompt}"),
    ("prompts-usage", "GET"): hidden("/prompt/usage"),
    # No model answers here.
    ("prompts-test", "POST"): linking(
        "/prompt/test",
        {**PROMPT, "promptId": "{prompt}", "messages": [{"fromMe": False, "text": "Oi"}]},
        least=(424,),
    ),
}
