"""How calls are read, answered (rest_framework) and documented (drf_spectacular)."""

from typing import Any

API: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["config.access.AccessPermission"],
    "DEFAULT_RENDERER_CLASSES": ["apps.common.reads.AnswerRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.common.renderers.QuickNegotiation",
    "DEFAULT_PARSER_CLASSES": [
        "apps.common.parsers.OrjsonParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "apps.common.schema.AnswerSchema",
    "EXCEPTION_HANDLER": "apps.common.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "DATETIME_FORMAT": None,  # the renderer writes moments (apps.common.renderers)
    "NUM_PROXIES": 0,  # `client_address` reads X-Forwarded-For, and knows whom to believe
}
# The settings add the version.
OPENAPI: dict[str, Any] = {
    "TITLE": "Balcao API",  # generators make names of modules from it: ASCII
    "DESCRIPTION": "The calls of Balcão, a customer-service inbox around WhatsApp.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "TicketStatusEnum": "apps.tickets.models.TicketStatus",
        "TicketPriorityEnum": "apps.tickets.serializers.tickets.PRIORITIES",
        "PriorityEnum": "apps.announcements.models.Priority",
        "SlaKindEnum": "apps.desk.serializers.sla.KINDS",
        "SlaActionEnum": "apps.desk.serializers.sla.ACTIONS",
        "SlaStepWhenEnum": "apps.desk.serializers.rules.STEPS",
        "RehearsalSubjectEnum": "apps.desk.serializers.rehearsals.SUBJECTS",
        "RehearsalStateEnum": "apps.desk.serializers.rehearsals.STATES",
        "RuleWhenEnum": "apps.desk.serializers.rules.WHENS",
        "RuleDoEnum": "apps.desk.serializers.rules.DOES",
        "RuleNamedEnum": "apps.desk.serializers.rules.NAMED",
        "ConnectionStatusEnum": "apps.connections.models.ConnectionStatus",
        "PhoneSyncKindEnum": "apps.connections.models.PhoneSyncKind",
        "PhoneSyncOutcomeEnum": "apps.connections.models.PhoneSyncOutcome",
        "SetupProblemEnum": "apps.connections.models.SetupProblem",
        "SetupStateEnum": "apps.connections.models.SetupState",
        "SetupStepEnum": "apps.connections.models.SetupStep",
        "TypeEnum": "apps.automation.models.IntegrationType",
        "WebhookEventEnum": "apps.automation.models.WebhookEvent",
        "DraftButtonTypeEnum": "apps.connections.serializers.templates.DraftButtonType",
        "ScheduleStatusEnum": "apps.schedules.models.ScheduleStatus",
        # Generators make `ChatMessageMediaTypeEnum` and `TypebotBlockReasonEnum` from the fields.
        "FlowReasonEnum": "apps.automation.serializers.typebot_flows.REASONS",
        "ChatFileKindEnum": "apps.chat.serializers.FILE_KINDS",
        "CampaignStatusEnum": "apps.campaigns.models.CampaignStatus",
        "RecipientStateEnum": "apps.campaigns.models.RecipientState",
        "InvoiceStatusEnum": "apps.billing.models.InvoiceStatus",
        "InvoiceKindEnum": "apps.billing.models.InvoiceKind",
        "CreditKindEnum": "apps.billing.models.CreditKind",
        "PaymentOutcomeEnum": "apps.billing.models.PaymentOutcome",
        "PixProviderEnum": "apps.billing.models.PixProvider",
        "PermissionEnum": "apps.accounts.permissions.Permission",
        "PageEnum": "apps.accounts.permissions.Page",
        "ProviderEnum": "apps.connections.models.ProviderKind",
    },
    "POSTPROCESSING_HOOKS": [
        "apps.realtime.schema.add_live_events",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.common.schema.add_refusals",
        "apps.common.schema.bound_numbers",
        "apps.common.schema.split_forms",
        "config.openapi.add_service_tokens",
        "config.openapi.add_permissions",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
