"""Reasons of failures, and the success of a test, as codes that browsers translate."""

from dataclasses import dataclass
from enum import StrEnum

CODE_LENGTH = 50
DETAIL_LENGTH = 300


class ReasonCode(StrEnum):
    """The codes; their texts are in the browser's `i18n/*/reasons.json`."""

    # The connection and its account.
    CREDENTIALS_REFUSED = "credentials_refused"
    NO_PERMISSION = "no_permission"
    ACCOUNT_LOCKED = "account_locked"
    ACCOUNT_RESTRICTED = "account_restricted"
    ACCOUNT_LOCK_AHEAD = "account_lock_ahead"
    ACCOUNT_DELETED = "account_deleted"
    ACCESS_REMOVED = "access_removed"
    NUMBER_NOT_REGISTERED = "number_not_registered"
    NUMBER_UNKNOWN = "number_unknown"
    PAYMENT = "payment"
    NOT_VERIFIED = "not_verified"
    TOKEN_MISSING = "token_missing"  # noqa: S105
    APP_ID_MISSING = "app_id_missing"
    NUMBER_ELSEWHERE = "number_elsewhere"
    NUMBER_TAKEN = "number_taken"
    NUMBER_UNVERIFIED = "number_unverified"
    NUMBER_NOT_CHOSEN = "number_not_chosen"
    SIGNUP_CODE = "signup_code"
    SIGNUP_APP = "signup_app"
    FIELDS_LACKING = "fields_lacking"
    SIGNUP_REFUSED = "signup_refused"
    PIN_WRONG = "pin_wrong"
    PIN_BLOCKED = "pin_blocked"
    REGISTER_LIMIT = "register_limit"
    DISCONNECTED = "disconnected"
    SESSION_REPLACED = "session_replaced"
    SESSION_LOGGED_OUT = "session_logged_out"
    SESSION_REFUSED = "session_refused"
    SESSION_NOT_OPEN = "session_not_open"
    QR_EXPIRED = "qr_expired"
    CONNECTION_LOST = "connection_lost"
    GATEWAY_GONE = "gateway_gone"
    SESSION_NOT_STORED = "session_not_stored"
    WHATSAPP_REFUSED = "whatsapp_refused"
    # What the number may send, and how fast.
    DAILY_CEILING = "daily_ceiling"
    PORTFOLIO_LIMIT = "portfolio_limit"
    NUMBER_LIMIT = "number_limit"
    APP_LIMIT = "app_limit"
    CONTACT_LIMIT = "contact_limit"
    SPAM_LIMIT = "spam_limit"
    POLICY_BLOCK = "policy_block"
    COUNTRY_BLOCKED = "country_blocked"
    # The recipient.
    WINDOW_CLOSED = "window_closed"
    # Utility texts without a template (rules/messages §12).
    DIRECT_SEND_OFF = "direct_send_off"
    DIRECT_SEND_BLOCKED = "direct_send_blocked"
    DIRECT_SEND_LIMIT = "direct_send_limit"
    NOT_REACHABLE = "not_reachable"
    OWN_NUMBER = "own_number"
    NOT_A_TEST_NUMBER = "not_a_test_number"
    NO_NUMBER = "no_number"
    OPTED_OUT = "opted_out"
    # Another responder of the number leads the conversation.
    LED_ELSEWHERE = "led_elsewhere"
    CONTROL_REFUSED = "control_refused"
    KEPT_BACK = "kept_back"
    MARKETING_STOPPED = "marketing_stopped"
    MARKETING_HELD = "marketing_held"
    # The content.
    DATA_MISSING = "data_missing"
    DATA_REFUSED = "data_refused"
    TYPE_REFUSED = "type_refused"
    MEDIA_REFUSED = "media_refused"
    MEDIA_NOT_FETCHED = "media_not_fetched"
    MEDIA_GONE = "media_gone"
    MEDIA_TOO_LARGE = "media_too_large"
    AUDIO_UNREADABLE = "audio_unreadable"
    MENU_SIZE = "menu_size"
    EDIT_UNSUPPORTED = "edit_unsupported"
    DELETE_UNSUPPORTED = "delete_unsupported"
    CONTACTS_UNSUPPORTED = "contacts_unsupported"
    NEVER_SENT = "never_sent"
    CONNECTION_DELETED = "connection_deleted"
    CONNECTION_DELETED_SENDING = "connection_deleted_sending"
    TICKET_DELETED = "ticket_deleted"
    CAMPAIGN_CANCELLED = "campaign_cancelled"
    SENDING_HOURS = "sending_hours"
    # Templates.
    TEMPLATE_REFUSED = "template_refused"
    TEMPLATE_VARIABLES = "template_variables"
    TEMPLATE_UNKNOWN = "template_unknown"
    TEMPLATE_TOO_LONG = "template_too_long"
    TEMPLATE_VARIABLE_MISSING = "template_variable_missing"
    TEMPLATE_VARIABLE_TEXT = "template_variable_text"
    TEMPLATE_VARIABLE_FORMAT = "template_variable_format"
    TEMPLATE_POLICY = "template_policy"
    TEMPLATE_PAUSED = "template_paused"
    TEMPLATE_DISABLED = "template_disabled"
    TEMPLATE_FLOW_BLOCKED = "template_flow_blocked"
    TEMPLATE_FLOW_LIMIT = "template_flow_limit"
    TEMPLATE_UNSUPPORTED = "template_unsupported"
    TEMPLATE_NEEDS_NUMBER = "template_needs_number"
    TEMPLATE_SYNCING = "template_syncing"
    # Meta assesses the template's quality before it delivers all of its messages.
    TEMPLATE_ASSESSED = "template_assessed"
    MARKETING_CLOSED = "marketing_closed"
    MARKETING_TERMS = "marketing_terms"
    # Meta's verdicts on submitted templates.
    TEMPLATE_NOT_TAKEN = "template_not_taken"
    TEMPLATE_EXISTS = "template_exists"
    TEMPLATE_NAME_BLOCKED = "template_name_blocked"
    TEMPLATE_LIMIT = "template_limit"
    TEMPLATE_PART_LONG = "template_part_long"
    TEMPLATE_PART_FORMAT = "template_part_format"
    TEMPLATE_MANY_VARIABLES = "template_many_variables"
    TEMPLATE_EDGE_VARIABLE = "template_edge_variable"
    TEMPLATE_BY_META = "template_by_meta"
    # The forms of the bot's questions.
    FORM_REFUSED = "form_refused"
    FORM_INTEGRITY = "form_integrity"
    FORM_BLOCKED = "form_blocked"
    FORM_THROTTLED = "form_throttled"
    FORM_DEPRECATED = "form_deprecated"
    FORM_UNSUPPORTED = "form_unsupported"
    # The network.
    PROVIDER_DOWN = "provider_down"
    NUMBER_MAINTENANCE = "number_maintenance"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BROKEN_CONNECTION = "broken_connection"
    MALFORMED_ANSWER = "malformed_answer"
    BAD_ADDRESS = "bad_address"
    FOREIGN_HOST = "foreign_host"
    BAD_ID = "bad_id"
    INTERNAL = "internal"
    # The server of an integration or of a model; its name, with a number beside it, is the detail.
    ADDRESS_SCHEME = "address_scheme"
    ADDRESS_INVALID = "address_invalid"
    ADDRESS_FORBIDDEN = "address_forbidden"
    SERVER_UNKNOWN = "server_unknown"
    SERVER_TIMEOUT = "server_timeout"
    SERVER_CERTIFICATE = "server_certificate"
    SERVER_UNREACHABLE = "server_unreachable"
    SERVER_BROKE_OFF = "server_broke_off"
    SERVER_UNREADABLE = "server_unreadable"
    SERVER_REDIRECTS = "server_redirects"
    SERVER_REFUSED = "server_refused"
    SERVER_BUSY = "server_busy"
    SERVER_ERROR = "server_error"
    SERVER_ANSWERED = "server_answered"
    ANSWER_TOO_LARGE = "answer_too_large"
    ANSWER_NOT_JSON = "answer_not_json"
    # Integrations.
    ONLY_OFFICIAL = "only_official"
    ASAAS_TOKEN_MISSING = "asaas_token_missing"  # noqa: S105
    ASAAS_TOKEN_REFUSED = "asaas_token_refused"  # noqa: S105
    ASAAS_TOKEN_ACCEPTED = "asaas_token_accepted"  # noqa: S105
    FLOW_NOT_STARTED = "flow_not_started"
    FLOW_REFUSED = "flow_refused"
    FLOW_UNKNOWN = "flow_unknown"
    PROJECT_MISSING = "project_missing"
    PROJECT_FORBIDDEN = "project_forbidden"
    PROJECT_UNKNOWN = "project_unknown"
    ACCOUNT_UNREADABLE = "account_unreadable"
    ACCOUNT_TYPE = "account_type"
    ACCOUNT_LACKS = "account_lacks"
    ACCOUNT_TOKEN_URI = "account_token_uri"  # noqa: S105
    ACCOUNT_KEY = "account_key"
    GOOGLE_KEY_REFUSED = "google_key_refused"
    DIALOGFLOW_QUOTA = "dialogflow_quota"
    DIALOGFLOW_REFUSED = "dialogflow_refused"
    # Models.
    MODEL_KEY_REFUSED = "model_key_refused"
    MODEL_UNKNOWN = "model_unknown"
    MODEL_CREDIT = "model_credit"
    MODEL_BUSY = "model_busy"
    MODEL_ERROR = "model_error"
    MODEL_TOO_LONG = "model_too_long"
    MODEL_REFUSED = "model_refused"
    MODEL_UNREACHABLE = "model_unreachable"
    MODEL_UNREADABLE = "model_unreadable"
    MODEL_SILENT = "model_silent"
    MODEL_TOO_OFTEN = "model_too_often"
    MODEL_DAY = "model_day"
    # Why bot or integration ended.
    AUTOMATION_DELETED = "automation_deleted"
    PROMPT_DELETED = "prompt_deleted"
    INTEGRATION_DELETED = "integration_deleted"
    BOT_FAULT = "bot_fault"
    # Anything else; the detail is the provider's text.
    REFUSED = "refused"


@dataclass(frozen=True)
class Reason:
    """A reason code, or the code of a refusal (`ERR_…`), with a detail that needs no translation.

    Without a code only the Portuguese sentence beside it is known.
    """

    code: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        """Cut both to the length of their columns, without NUL, which PostgreSQL does not store."""
        object.__setattr__(self, "code", self.code[:CODE_LENGTH])
        object.__setattr__(self, "detail", self.detail.replace("\x00", "")[:DETAIL_LENGTH])

    def on_wire(self) -> dict[str, str]:
        """Return the two keys that browsers read beside the sentence."""
        return {"reasonCode": self.code, "reasonDetail": self.detail}


NO_REASON = Reason()
