"""Who may call what: the one table behind every API view (rules/accounts §3).

Keyed by URL name, then method. A row is a level, a permission, or all the permissions that the call
needs. A view without a row is refused to everybody, and `tests/calls/test_tenancy.py` fails for it.
Rules that depend on the record are the services'.
"""

from typing import Any, NamedTuple

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.accounts.models import Scope, ServiceToken
from apps.accounts.permissions import Access, Permission
from apps.accounts.services.service_tokens import TokenNotServed, TokenWithoutScope
from apps.accounts.services.sessions import refuse_overdue
from apps.accounts.tokens import Claims
from apps.billing.services import Feature, check_feature
from apps.common.errors import NoPermission, SessionExpired
from apps.common.masking import mask_answer

PUBLIC, MEMBER, SUPER = Access.PUBLIC, Access.MEMBER, Access.SUPER
SEE_ALL, TAKE, ASSIGN = Permission.SEE_ALL, Permission.TAKE, Permission.ASSIGN
DELETE_TICKETS, OWN_REPORTS = Permission.DELETE_TICKETS, Permission.OWN_REPORTS
SEE_CONTACTS, EDIT_CONTACTS = Permission.SEE_CONTACTS, Permission.EDIT_CONTACTS
DELETE_CONTACTS, EXPORT_CONTACTS = Permission.DELETE_CONTACTS, Permission.EXPORT_CONTACTS
FULL_NUMBER, CAMPAIGNS = Permission.FULL_NUMBER, Permission.CAMPAIGNS
CONNECTIONS, QUEUES, AI = Permission.CONNECTIONS, Permission.QUEUES, Permission.AI
REPORTS, BILLING, USERS = Permission.REPORTS, Permission.BILLING, Permission.USERS
SETTINGS, PROGRAMS, RULES = Permission.SETTINGS, Permission.PROGRAMS, Permission.RULES
# An admin's rights: what takes everything away, or gives a program all of them.
WHOLE = tuple(Permission)
# Every message, with the full number, goes to an address of the caller's choice.
SPYING = (PROGRAMS, SEE_ALL, SEE_CONTACTS, FULL_NUMBER)
# So does what the contacts of a queue write to its integration.
LEADING = (QUEUES, SEE_ALL, SEE_CONTACTS, FULL_NUMBER)

Needed = Access | Permission | tuple[Permission, ...]

ACCESS: dict[str, dict[str, Needed]] = {
    "login": {"POST": PUBLIC},
    "refresh-token": {"POST": PUBLIC},
    "logout": {"DELETE": PUBLIC},
    "signup": {"GET": PUBLIC, "POST": PUBLIC},
    "signup-older": {"POST": PUBLIC},
    "password-reset": {"GET": PUBLIC, "POST": PUBLIC},
    "password-reset-confirm": {"POST": PUBLIC},
    "password-reset-older": {"POST": PUBLIC},
    "password-reset-confirm-older": {"POST": PUBLIC},
    "me": {"GET": MEMBER, "PUT": MEMBER},
    "two-factor": {"GET": MEMBER, "POST": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "recovery-codes": {"POST": MEMBER},
    "sign-ins": {"GET": MEMBER},
    "emails": {"GET": MEMBER, "POST": MEMBER},
    "emails-detail": {"GET": MEMBER},
    "emails-resend": {"POST": MEMBER},
    "emails-older-send": {"POST": MEMBER},
    "emails-older-list": {"GET": MEMBER},
    "probe": {"GET": PUBLIC},
    "schema": {"GET": PUBLIC},
    "docs": {"GET": PUBLIC},
    "users-list": {"GET": MEMBER, "POST": USERS},
    "users-options": {"GET": MEMBER},
    "users-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": USERS},
    # Everybody may know what a role allows, as everybody may know who is an admin.
    "roles-list": {"GET": MEMBER, "POST": USERS},
    "roles-detail": {"GET": MEMBER, "PUT": USERS, "DELETE": USERS},
    "users-two-factor": {"GET": USERS, "DELETE": USERS},
    "company-plan": {"GET": MEMBER},
    "companies-list": {"GET": MEMBER, "POST": SUPER},
    "companies-options": {"GET": MEMBER},
    # An admin keeps whom to bill; the service refuses the rest.
    "companies-detail": {"GET": MEMBER, "PUT": BILLING, "DELETE": SUPER},
    "plans-public": {"GET": PUBLIC},
    "plans-all": {"GET": SUPER},
    "plans-list": {"POST": SUPER},
    "plans-detail": {"GET": MEMBER, "PUT": SUPER, "DELETE": SUPER},
    "invoices-list": {"GET": BILLING},
    "invoices-detail": {"GET": BILLING},
    "subscription": {"GET": BILLING, "POST": BILLING},
    "billing-list": {"GET": SUPER},
    "billing-detail": {"GET": SUPER},
    "billing-payments": {"POST": SUPER},
    "billing-cancel": {"POST": SUPER},
    "billing-credit": {"POST": SUPER},
    "billing-refund": {"POST": SUPER},
    "subscription-plan": {"GET": BILLING, "POST": BILLING},
    "company-schedules": {"GET": MEMBER, "PUT": SETTINGS},
    "audit-log": {"GET": SETTINGS},
    "company-archive": {"GET": WHOLE, "POST": WHOLE, "DELETE": WHOLE},
    "service-tokens-list": {"GET": PROGRAMS, "POST": WHOLE},
    "service-tokens-detail": {"DELETE": PROGRAMS},
    "settings-list": {"GET": MEMBER},
    "retention": {"GET": SETTINGS, "PUT": SETTINGS, "DELETE": SETTINGS},
    "retention-preview": {"GET": SETTINGS},
    "retention-defaults": {"GET": SUPER, "PUT": SUPER},
    "public-settings": {"GET": PUBLIC},
    "settings-detail": {"GET": MEMBER, "PUT": SETTINGS, "DELETE": SETTINGS},
    "queues-list": {"GET": MEMBER, "POST": QUEUES},
    "queues-detail": {"GET": MEMBER, "PUT": QUEUES, "DELETE": QUEUES},
    "queues-usage": {"GET": QUEUES},
    "queue-forms": {"GET": QUEUES},
    "queues-test-chat": {"POST": QUEUES},
    "typebot-flow": {"POST": QUEUES},
    "queues-assignment": {"GET": QUEUES, "PUT": QUEUES},
    "team": {"GET": SEE_ALL},
    "team-member": {"PUT": (SEE_ALL, ASSIGN)},
    "team-tickets": {"GET": SEE_ALL},
    "team-moves": {"POST": SEE_ALL},
    "sla": {"GET": SETTINGS, "POST": SETTINGS},
    "sla-policy": {"PUT": SETTINGS, "DELETE": SETTINGS},
    "sla-report": {"GET": REPORTS},
    "sla-missed": {"GET": REPORTS},
    # Its report shows everybody's tickets; the service asks for what its change needs besides.
    "rehearsals": {"GET": SEE_ALL, "POST": SEE_ALL},
    "rehearsal": {"GET": SEE_ALL, "DELETE": SEE_ALL},
    "rules": {"GET": RULES, "POST": RULES},
    "rules-order": {"PUT": RULES},
    "rules-runs": {"GET": RULES},
    "rule": {"PUT": RULES, "DELETE": RULES},
    "rule-switch": {"PUT": RULES},
    "macros": {"GET": MEMBER, "POST": MEMBER},
    "macro": {"PUT": MEMBER, "DELETE": MEMBER},
    "macro-undo": {"POST": MEMBER},
    "tickets-macros": {"POST": MEMBER},
    "holidays": {"GET": MEMBER},
    "presence": {"GET": MEMBER},
    "presence-own": {"PUT": MEMBER},
    "presence-person": {"PUT": (SEE_ALL, ASSIGN)},
    "presence-timeline": {"GET": SEE_ALL},
    "pause-reasons": {"GET": MEMBER, "POST": QUEUES},
    "pause-reasons-one": {"PUT": QUEUES, "DELETE": QUEUES},
    "queue-options-list": {"GET": MEMBER, "POST": QUEUES},
    "queue-options-detail": {"PUT": QUEUES, "DELETE": QUEUES},
    "queue-options-file": {"POST": QUEUES, "DELETE": QUEUES},
    "connections-list": {"GET": MEMBER, "POST": CONNECTIONS},
    "connections-detail": {"GET": MEMBER, "PUT": CONNECTIONS, "DELETE": CONNECTIONS},
    "connections-token": {"POST": (CONNECTIONS, PROGRAMS), "DELETE": CONNECTIONS},
    "connections-alerts": {"DELETE": CONNECTIONS},
    "connections-products": {"GET": MEMBER},
    "connections-health": {"GET": CONNECTIONS, "POST": CONNECTIONS},
    "connections-profile": {"GET": CONNECTIONS, "PUT": CONNECTIONS},
    "connections-test": {"POST": CONNECTIONS},
    "connections-phone": {"POST": CONNECTIONS},
    "connections-check": {"POST": CONNECTIONS},
    "connections-signup": {"GET": CONNECTIONS, "POST": CONNECTIONS},
    "connections-webhook": {"GET": CONNECTIONS},
    "connections-templates": {"POST": CONNECTIONS},
    "connections-template-library": {"GET": CONNECTIONS, "POST": CONNECTIONS},
    "connections-template": {"PUT": CONNECTIONS, "DELETE": CONNECTIONS},
    "connections-template-samples": {"POST": CONNECTIONS},
    "connections-session": {"POST": CONNECTIONS, "PUT": CONNECTIONS, "DELETE": CONNECTIONS},
    "contacts-list": {"GET": SEE_CONTACTS, "POST": EDIT_CONTACTS},
    "contacts-options": {"GET": SEE_CONTACTS},
    "contacts-number": {"GET": MEMBER},
    "contacts-delete": {"POST": DELETE_CONTACTS},
    "contacts-import": {"POST": EDIT_CONTACTS},
    "contacts-import-file": {"POST": EDIT_CONTACTS},
    "contacts-import-file-preview": {"POST": EDIT_CONTACTS},
    "contacts-import-current": {"GET": EDIT_CONTACTS},
    "contacts-import-cancel": {"POST": EDIT_CONTACTS},
    "contacts-import-faults": {"GET": EDIT_CONTACTS},
    "contacts-export": {"GET": EXPORT_CONTACTS},
    "contacts-detail": {"GET": SEE_CONTACTS, "PUT": EDIT_CONTACTS, "DELETE": DELETE_CONTACTS},
    "contacts-data": {"GET": (EXPORT_CONTACTS, DELETE_CONTACTS, FULL_NUMBER)},
    "contacts-erase": {"POST": DELETE_CONTACTS},
    "contacts-merge": {"POST": DELETE_CONTACTS},
    "contacts-merges": {"GET": SEE_CONTACTS},
    "contacts-merge-undo": {"POST": DELETE_CONTACTS},
    "notes": {"POST": SEE_CONTACTS},
    "notes-list": {"GET": SEE_CONTACTS},
    "notes-detail": {"DELETE": SEE_CONTACTS},
    "tags-list": {"GET": MEMBER, "POST": EDIT_CONTACTS},
    "tags-options": {"GET": MEMBER},
    "tags-lanes": {"GET": MEMBER},
    "tags-detail": {"GET": MEMBER, "PUT": EDIT_CONTACTS, "DELETE": EDIT_CONTACTS},
    "contacts-tickets": {"GET": MEMBER},
    "contacts-media": {"GET": MEMBER},
    "quick-messages-list": {"GET": MEMBER, "POST": MEMBER},
    "quick-messages-options": {"GET": MEMBER},
    "quick-messages-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "quick-messages-file": {"POST": MEMBER, "DELETE": MEMBER},
    "files-list": {"GET": MEMBER, "POST": QUEUES},
    "files-detail": {"GET": MEMBER, "PUT": QUEUES, "DELETE": QUEUES},
    "files-upload": {"POST": QUEUES},
    "contact-lists-list": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "contact-lists-options": {"GET": CAMPAIGNS},
    "contact-lists-detail": {"GET": CAMPAIGNS, "PUT": CAMPAIGNS, "DELETE": CAMPAIGNS},
    "contact-lists-upload": {"POST": CAMPAIGNS},
    "contact-lists-preview": {"POST": CAMPAIGNS},
    "contact-lists-faults": {"GET": CAMPAIGNS},
    "contact-list-items-list": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "contact-list-items-detail": {"GET": CAMPAIGNS, "PUT": CAMPAIGNS, "DELETE": CAMPAIGNS},
    "segments-list": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "segments-options": {"GET": CAMPAIGNS},
    "segments-count": {"POST": CAMPAIGNS},
    "segments-detail": {"GET": CAMPAIGNS, "PUT": CAMPAIGNS, "DELETE": CAMPAIGNS},
    "opt-outs-list": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "opt-outs-detail": {"DELETE": CAMPAIGNS},
    "opt-outs-export": {"GET": (CAMPAIGNS, EXPORT_CONTACTS, FULL_NUMBER)},
    "report-conversations": {"GET": OWN_REPORTS},
    "report-conversations-export": {"GET": (OWN_REPORTS, EXPORT_CONTACTS)},
    "report-figures": {"GET": OWN_REPORTS},
    "report-activity": {"GET": OWN_REPORTS},
    "report-activity-export": {"GET": OWN_REPORTS},
    "costs": {"GET": BILLING},
    "costs-meter": {"GET": BILLING},
    "costs-export": {"GET": BILLING},
    "costs-texts": {"GET": BILLING},
    "costs-text-stop": {"POST": (BILLING, QUEUES)},
    "costs-text-resume": {"POST": (BILLING, QUEUES)},
    "tickets-cost": {"GET": BILLING},
    "campaigns-list": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "campaigns-detail": {"GET": CAMPAIGNS, "PUT": CAMPAIGNS, "DELETE": CAMPAIGNS},
    "campaigns-media": {"POST": CAMPAIGNS, "DELETE": CAMPAIGNS},
    "campaigns-estimate": {"GET": CAMPAIGNS},
    "campaigns-start": {"POST": CAMPAIGNS},
    "campaigns-trial": {"POST": CAMPAIGNS},
    "campaigns-cancel": {"POST": CAMPAIGNS},
    "campaigns-restart": {"POST": CAMPAIGNS},
    "campaigns-report": {"GET": CAMPAIGNS},
    "campaigns-timeline": {"GET": CAMPAIGNS},
    "campaigns-recipients": {"GET": CAMPAIGNS},
    "campaigns-recipients-export": {"GET": (CAMPAIGNS, EXPORT_CONTACTS, FULL_NUMBER)},
    "campaigns-preview": {"GET": CAMPAIGNS},
    "campaign-settings": {"GET": CAMPAIGNS, "POST": CAMPAIGNS},
    "dashboard": {"GET": REPORTS},
    "dashboard-breakdown": {"GET": REPORTS},
    "dashboard-tags": {"GET": REPORTS},
    "dashboard-export": {"GET": REPORTS},
    "dashboard-status": {"GET": REPORTS},
    "dashboard-tickets": {"GET": REPORTS},
    "dashboard-users": {"GET": REPORTS},
    "tickets-list": {"GET": MEMBER, "POST": TAKE},
    "tickets-by-uuid": {"GET": MEMBER},
    "tickets-counts": {"GET": MEMBER},
    "tickets-board": {"GET": MEMBER},
    "tickets-drafts": {"GET": MEMBER},
    "tickets-draft": {"PUT": MEMBER},
    "tickets-writers": {"GET": MEMBER},
    "tickets-follows": {"GET": MEMBER},
    "tickets-follow": {"PUT": MEMBER, "DELETE": MEMBER},
    "tickets-follow-seen": {"PUT": MEMBER},
    "tickets-priority": {"PUT": MEMBER},
    "tickets-snooze": {"PUT": MEMBER, "DELETE": MEMBER},
    "tickets-notes": {"POST": MEMBER},
    "tickets-note": {"DELETE": MEMBER},
    "tickets-mentions": {"GET": MEMBER},
    "tickets-mentions-seen": {"PUT": MEMBER},
    "tickets-thread-control": {"POST": TAKE},
    "tickets-assignments": {"GET": MEMBER},
    "tickets-clocks": {"GET": MEMBER},
    "tickets-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": DELETE_TICKETS},
    "ticket-tag": {"PUT": MEMBER},
    "ticket-lane": {"DELETE": MEMBER},
    "tags-sync": {"POST": MEMBER},
    "messages": {"GET": MEMBER, "POST": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "messages-edit": {"POST": MEMBER},
    "messages-resend": {"POST": MEMBER},
    "messages-uploads": {"POST": MEMBER},
    # Programs carry a connection's token, which the view itself asks for.
    "messages-api": {"POST": PUBLIC},
    "messages-api-older": {"POST": PUBLIC},
    "templates-list": {"GET": MEMBER},
    "templates-media": {"POST": MEMBER},
    "templates-send": {"POST": MEMBER},
    "messages-search": {"GET": MEMBER},
    "messages-reaction": {"POST": MEMBER},
    "messages-forward": {"GET": MEMBER, "POST": MEMBER},
    "schedules-list": {"GET": MEMBER, "POST": MEMBER},
    "schedules-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "schedules-media": {"POST": MEMBER, "DELETE": MEMBER},
    "schedules-retry": {"POST": MEMBER},
    "integrations-list": {"GET": MEMBER, "POST": LEADING},
    "integrations-detail": {"GET": MEMBER, "PUT": LEADING, "DELETE": QUEUES},
    "integrations-secret": {"POST": QUEUES},
    "integrations-test": {"POST": QUEUES},
    "integrations-deliveries": {"GET": QUEUES},
    "integrations-delivery": {"GET": QUEUES},
    "integrations-redeliver": {"POST": QUEUES},
    "outgoing-webhooks-list": {"GET": PROGRAMS, "POST": SPYING},
    "outgoing-webhooks-detail": {"GET": PROGRAMS, "PUT": SPYING, "DELETE": PROGRAMS},
    "outgoing-webhooks-secret": {"POST": PROGRAMS},
    "outgoing-webhooks-test": {"POST": PROGRAMS},
    "outgoing-webhooks-deliveries": {"GET": PROGRAMS},
    "outgoing-webhooks-retry": {"POST": PROGRAMS},
    "prompts-list": {"GET": MEMBER, "POST": AI},
    "prompts-detail": {"GET": MEMBER, "PUT": AI, "DELETE": AI},
    "prompts-usage": {"GET": AI},
    "prompts-test": {"POST": AI},
    "chats-list": {"GET": MEMBER, "POST": MEMBER},
    "chats-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "chats-read": {"POST": MEMBER},
    "chats-leave": {"POST": MEMBER},
    "chats-messages": {"GET": MEMBER, "POST": MEMBER},
    "announcements-list": {"GET": MEMBER, "POST": SUPER},
    "announcements-detail": {"GET": MEMBER, "PUT": SUPER, "DELETE": SUPER},
    "announcements-media": {"POST": SUPER, "DELETE": SUPER},
    "helps-list": {"GET": MEMBER, "POST": SUPER},
    "helps-all": {"GET": MEMBER},
    "helps-detail": {"GET": MEMBER, "PUT": SUPER, "DELETE": SUPER},
}

# What a service token serves (rules/accounts §12): each call's scope. Reads are also served by
# `read`; calls that stand in no list are refused to every service token.
SCOPES: dict[Scope, tuple[str, ...]] = {
    Scope.TICKETS: (
        *("tickets-list", "tickets-by-uuid", "tickets-counts", "tickets-board", "tickets-detail"),
        *("ticket-tag", "ticket-lane", "tags-sync", "contacts-tickets"),
        *("tickets-notes", "tickets-note", "tickets-priority", "tickets-snooze"),
        *("tags-list", "tags-options", "tags-lanes", "tags-detail"),
        *("dashboard", "dashboard-breakdown", "dashboard-tags", "dashboard-export"),
        *("dashboard-status", "dashboard-tickets", "dashboard-users"),
        *("report-conversations", "report-conversations-export", "report-figures"),
        *("report-activity", "report-activity-export"),
    ),
    Scope.MESSAGES: (
        *("messages", "messages-edit", "messages-resend", "messages-search", "messages-reaction"),
        *("messages-forward", "messages-uploads", "contacts-media"),
        *("templates-list", "templates-media", "templates-send"),
        *("schedules-list", "schedules-detail", "schedules-media", "schedules-retry"),
        *("quick-messages-list", "quick-messages-options", "quick-messages-detail"),
        *("quick-messages-file", "files-list", "files-detail", "files-upload"),
    ),
    Scope.CONTACTS: (
        *("contacts-list", "contacts-options", "contacts-number", "contacts-detail"),
        *("contacts-delete", "contacts-import"),
        *("contacts-import-file", "contacts-import-file-preview"),
        *("contacts-import-current", "contacts-import-cancel", "contacts-import-faults"),
        *("contacts-export", "contacts-data", "contacts-erase"),
        *("contacts-merge", "contacts-merges", "contacts-merge-undo"),
        *("notes", "notes-list", "notes-detail"),
    ),
    Scope.CAMPAIGNS: (
        *("contact-lists-list", "contact-lists-options", "contact-lists-detail"),
        *("contact-lists-upload", "contact-lists-preview", "contact-lists-faults"),
        *("contact-list-items-list", "contact-list-items-detail"),
        *("segments-list", "segments-options", "segments-count", "segments-detail"),
        *("opt-outs-list", "opt-outs-detail", "opt-outs-export"),
        *("campaigns-list", "campaigns-detail", "campaigns-media", "campaigns-estimate"),
        *("campaigns-start", "campaigns-trial", "campaigns-cancel", "campaigns-restart"),
        *("campaigns-report", "campaigns-timeline", "campaigns-recipients"),
        *("campaigns-recipients-export", "campaigns-preview", "campaign-settings"),
    ),
    Scope.WEBHOOKS: (
        *("outgoing-webhooks-list", "outgoing-webhooks-detail", "outgoing-webhooks-secret"),
        *("outgoing-webhooks-test", "outgoing-webhooks-deliveries", "outgoing-webhooks-retry"),
    ),
}
# Reads whose ids tickets and messages need; an admin alone writes these records. Any of the scopes
# serves them.
COMMON_READS: frozenset[str] = frozenset(
    {"queues-list", "queues-detail", "queue-options-list", "connections-list", "connections-detail"}
)
SCOPE_OF: dict[str, Scope] = {name: scope for scope, names in SCOPES.items() for name in names}
READERS: frozenset[str] = frozenset({Scope.READ, *SCOPES})

# Features that a plan may leave out. Their records cannot be created, changed or used then;
# reading, deleting and stopping stay allowed (rules/companies §3).
FEATURES: dict[Feature, tuple[str, ...]] = {
    "campaigns": ("campaigns-", "campaign-settings", "contact-list", "segments-", "opt-outs-"),
    "schedules": ("schedules-",),
    "internalChat": ("chats-",),
    "externalApi": ("connections-token", "outgoing-webhooks-", "service-tokens-"),
    "integrations": ("integrations-",),
    "openAi": ("prompts-",),
}
FEATURE_OF: dict[str, Feature] = {
    name: feature
    for name in ACCESS
    for feature, starts in FEATURES.items()
    if name.startswith(starts)
}
USES = ("POST", "PUT")
STOPS = frozenset({"campaigns-cancel", "chats-leave"})

# The calls that users of an overdue company may still make, to pay (rules/companies §4).
BILLING_CALLS: frozenset[str] = frozenset({"invoices-list", "invoices-detail", "subscription"})


class Needs(NamedTuple):
    """What a call asks of its caller: a level, and all of these permissions."""

    level: Access
    permissions: frozenset[Permission]


def _needs(row: Needed) -> Needs:
    if isinstance(row, Access):
        return Needs(row, frozenset())
    return Needs(MEMBER, frozenset((row,) if isinstance(row, Permission) else row))


NEEDS: dict[tuple[str, str], Needs] = {
    (name, method): _needs(row) for name, rows in ACCESS.items() for method, row in rows.items()
}


# What a call may need besides, by what its body or its record is; services check it
# (`check_allowed`, `check_may_handle`).
OF_BODY: dict[tuple[str, str], frozenset[Permission]] = {
    ("tickets-list", "POST"): frozenset({ASSIGN}),
    ("tickets-detail", "PUT"): frozenset({TAKE, ASSIGN, Permission.TRANSFER, Permission.RESOLVE}),
    ("tickets-priority", "PUT"): frozenset({TAKE}),
    ("tickets-snooze", "PUT"): frozenset({TAKE}),
    ("tickets-snooze", "DELETE"): frozenset({TAKE}),
    ("tickets-note", "DELETE"): frozenset({DELETE_TICKETS}),
    ("messages", "POST"): frozenset({TAKE}),
    ("messages-forward", "POST"): frozenset({TAKE}),
    ("tickets-macros", "POST"): frozenset(
        {TAKE, ASSIGN, Permission.TRANSFER, Permission.RESOLVE, EDIT_CONTACTS}
    ),
    ("settings-detail", "PUT"): frozenset({SEE_ALL}),
    ("rehearsals", "POST"): frozenset({QUEUES, SETTINGS, RULES}),
}


def scopes_for(name: str, method: str) -> frozenset[str]:
    """Return the scopes of which one admits a service token to a call; empty if none does."""
    is_read = method == "GET"
    if name in COMMON_READS:
        return READERS if is_read else frozenset()
    scope = SCOPE_OF.get(name)
    if scope is None:
        return frozenset()
    return frozenset({scope, Scope.READ}) if is_read else frozenset({scope})


def check_scope(token: ServiceToken, name: str, method: str) -> None:
    """Raise TokenNotServed or TokenWithoutScope unless the token is admitted to the call."""
    admitting = scopes_for(name, method)
    if not admitting:
        raise TokenNotServed
    if admitting.isdisjoint(token.scopes):
        raise TokenWithoutScope(admitting)


class AccessPermission(BasePermission):
    """Admit callers according to the table; an unlisted call is refused."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Tell whether the call is admitted.

        Raises SessionExpired, NoPermission, CompanyExpired for what an overdue company may not
        call any more, and PlanFeatureMissing.
        """
        match: Any = request.resolver_match
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method == "OPTIONS":
            return True
        needs = NEEDS.get((match.url_name or "", method))
        if needs is None:
            if method in {name.upper() for name in view.http_method_names if hasattr(view, name)}:
                raise NoPermission
            return True  # the view answers 405 itself
        if needs.level == PUBLIC:
            return True
        user: Any = request.user
        if user is None or not getattr(user, "is_authenticated", False):
            raise SessionExpired
        if user.service_token is not None:
            check_scope(user.service_token, match.url_name, method)
        if (needs.level == SUPER and not user.is_super) or not needs.permissions <= user.granted:
            raise NoPermission
        if not user.sees_full_numbers:
            mask_answer(request, match.url_name)
        if match.url_name not in BILLING_CALLS:
            refuse_overdue(user, request.auth if isinstance(request.auth, Claims) else None)
        feature = FEATURE_OF.get(match.url_name)
        if feature is not None and method in USES and match.url_name not in STOPS:
            check_feature(user.company.plan, feature)
        return True
