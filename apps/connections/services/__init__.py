"""What is done with connections; their rules are docs/rules/connections.md."""

from apps.connections.services.figures import (
    dismiss_alerts,
    end_alerts,
    refresh_figures,
    refresh_old_figures,
)
from apps.connections.services.pace import (
    admit_new_contact,
    is_warming_up,
    latest_open_slot,
    take_slot,
)
from apps.connections.services.phone_sync import (
    ask_due,
    ask_phone_again,
    begin_phone_syncs,
    note_addresses,
    note_history,
)
from apps.connections.services.profile import change_profile, profile_of
from apps.connections.services.provision import official_provider_for, provider_for
from apps.connections.services.qr_sessions import notice_dead_owners
from apps.connections.services.saving import (
    ConnectionValues,
    connection_for,
    connection_removal,
    create_connection,
    delete_connection,
    pace_change,
    update_connection,
)
from apps.connections.services.sessions import (
    disconnect,
    mark_reconnect_needed,
    pause_sends,
    renew_qrcode,
    session_outcome,
    start_session,
    verify_connection,
    verify_opening,
    withdraw_account,
)
from apps.connections.services.setup import SetupValues, check_setup, webhook_address
from apps.connections.services.signup import (
    SignupValues,
    forget_signups,
    sign_up,
    signed_up,
    signup_offer,
)
from apps.connections.services.template_writing import (
    create_template,
    delete_template,
    edit_template,
    upload_template_sample,
)
from apps.connections.services.templates import (
    TemplateMediaNotFound,
    check_official,
    find_template,
    header_kind,
    media_for_header,
    purge_template_media,
    require_file,
    template_connection,
    templates_of,
    upload_template_media,
)
from apps.connections.services.tokens import (
    connection_of_token,
    hash_token,
    issue_token,
    revoke_token,
)

__all__ = [
    "ConnectionValues",
    "SetupValues",
    "SignupValues",
    "TemplateMediaNotFound",
    "admit_new_contact",
    "ask_due",
    "ask_phone_again",
    "begin_phone_syncs",
    "change_profile",
    "check_official",
    "check_setup",
    "connection_for",
    "connection_of_token",
    "connection_removal",
    "create_connection",
    "create_template",
    "delete_connection",
    "delete_template",
    "disconnect",
    "dismiss_alerts",
    "edit_template",
    "end_alerts",
    "find_template",
    "forget_signups",
    "hash_token",
    "header_kind",
    "is_warming_up",
    "issue_token",
    "latest_open_slot",
    "mark_reconnect_needed",
    "media_for_header",
    "note_addresses",
    "note_history",
    "notice_dead_owners",
    "official_provider_for",
    "pace_change",
    "pause_sends",
    "profile_of",
    "provider_for",
    "purge_template_media",
    "refresh_figures",
    "refresh_old_figures",
    "renew_qrcode",
    "require_file",
    "revoke_token",
    "session_outcome",
    "sign_up",
    "signed_up",
    "signup_offer",
    "start_session",
    "take_slot",
    "template_connection",
    "templates_of",
    "update_connection",
    "upload_template_media",
    "upload_template_sample",
    "verify_connection",
    "verify_opening",
    "webhook_address",
    "withdraw_account",
]
