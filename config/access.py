"""Who may call what: the one table behind every API view (rules/accounts §3).

Keyed by URL name, then method. A view without a row is refused to everybody, and
`tests/calls/test_tenancy.py` fails for it. Rules that depend on the record are the services'.
"""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.accounts.models import Scope, ServiceToken
from apps.accounts.permissions import Access, TokenNotServed, TokenWithoutScope, access_of
from apps.accounts.services.sessions import refuse_overdue
from apps.accounts.tokens import Claims
from apps.billing.services import Feature, check_feature
from apps.common.errors import NoPermission, SessionExpired

PUBLIC, MEMBER, ADMIN, SUPER = Access.PUBLIC, Access.MEMBER, Access.ADMIN, Access.SUPER

ACCESS: dict[str, dict[str, Access]] = {
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
    "users-list": {"GET": MEMBER, "POST": ADMIN},
    "users-options": {"GET": MEMBER},
    "users-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
    "users-two-factor": {"GET": ADMIN, "DELETE": ADMIN},
    "company-plan": {"GET": MEMBER},
    "companies-list": {"GET": MEMBER, "POST": SUPER},
    "companies-options": {"GET": MEMBER},
    # An admin keeps whom to bill; the service refuses the rest.
    "companies-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": SUPER},
    "plans-public": {"GET": PUBLIC},
    "plans-all": {"GET": SUPER},
    "plans-list": {"POST": SUPER},
    "plans-detail": {"GET": MEMBER, "PUT": SUPER, "DELETE": SUPER},
    "invoices-list": {"GET": ADMIN},
    "invoices-detail": {"GET": ADMIN},
    "subscription": {"GET": ADMIN, "POST": ADMIN},
    "billing-list": {"GET": SUPER},
    "billing-detail": {"GET": SUPER},
    "billing-payments": {"POST": SUPER},
    "billing-cancel": {"POST": SUPER},
    "billing-credit": {"POST": SUPER},
    "billing-refund": {"POST": SUPER},
    "subscription-plan": {"GET": ADMIN, "POST": ADMIN},
    "company-schedules": {"GET": MEMBER, "PUT": ADMIN},
    "audit-log": {"GET": ADMIN},
    "company-archive": {"GET": ADMIN, "POST": ADMIN, "DELETE": ADMIN},
    "service-tokens-list": {"GET": ADMIN, "POST": ADMIN},
    "service-tokens-detail": {"DELETE": ADMIN},
    "settings-list": {"GET": MEMBER},
    "retention": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "retention-preview": {"GET": ADMIN},
    "retention-defaults": {"GET": SUPER, "PUT": SUPER},
    "public-settings": {"GET": PUBLIC},
    "settings-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "queues-list": {"GET": MEMBER, "POST": ADMIN},
    "queues-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "queues-usage": {"GET": ADMIN},
    "queue-forms": {"GET": ADMIN},
    "queues-test-chat": {"POST": ADMIN},
    "typebot-flow": {"POST": ADMIN},
    "queues-assignment": {"GET": ADMIN, "PUT": ADMIN},
    "team": {"GET": ADMIN},
    "team-member": {"PUT": ADMIN},
    "team-tickets": {"GET": ADMIN},
    "team-moves": {"POST": ADMIN},
    "sla": {"GET": ADMIN, "POST": ADMIN},
    "sla-policy": {"PUT": ADMIN, "DELETE": ADMIN},
    "sla-report": {"GET": ADMIN},
    "sla-missed": {"GET": ADMIN},
    "rehearsals": {"GET": ADMIN, "POST": ADMIN},
    "rehearsal": {"GET": ADMIN, "DELETE": ADMIN},
    "rules": {"GET": ADMIN, "POST": ADMIN},
    "rules-order": {"PUT": ADMIN},
    "rules-runs": {"GET": ADMIN},
    "rule": {"PUT": ADMIN, "DELETE": ADMIN},
    "rule-switch": {"PUT": ADMIN},
    "macros": {"GET": MEMBER, "POST": MEMBER},
    "macro": {"PUT": MEMBER, "DELETE": MEMBER},
    "macro-undo": {"POST": MEMBER},
    "tickets-macros": {"POST": MEMBER},
    "holidays": {"GET": MEMBER},
    "presence": {"GET": MEMBER},
    "presence-own": {"PUT": MEMBER},
    "presence-person": {"PUT": ADMIN},
    "presence-timeline": {"GET": ADMIN},
    "pause-reasons": {"GET": MEMBER, "POST": ADMIN},
    "pause-reasons-one": {"PUT": ADMIN, "DELETE": ADMIN},
    "queue-options-list": {"GET": MEMBER, "POST": ADMIN},
    "queue-options-detail": {"PUT": ADMIN, "DELETE": ADMIN},
    "queue-options-file": {"POST": ADMIN, "DELETE": ADMIN},
    "connections-list": {"GET": MEMBER, "POST": ADMIN},
    "connections-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "connections-token": {"POST": ADMIN, "DELETE": ADMIN},
    "connections-alerts": {"DELETE": ADMIN},
    "connections-products": {"GET": MEMBER},
    "connections-health": {"GET": ADMIN, "POST": ADMIN},
    "connections-profile": {"GET": ADMIN, "PUT": ADMIN},
    "connections-test": {"POST": ADMIN},
    "connections-phone": {"POST": ADMIN},
    "connections-check": {"POST": ADMIN},
    "connections-signup": {"GET": ADMIN, "POST": ADMIN},
    "connections-webhook": {"GET": ADMIN},
    "connections-templates": {"POST": ADMIN},
    "connections-template-library": {"GET": ADMIN, "POST": ADMIN},
    "connections-template": {"PUT": ADMIN, "DELETE": ADMIN},
    "connections-template-samples": {"POST": ADMIN},
    "connections-session": {"POST": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "contacts-list": {"GET": MEMBER, "POST": MEMBER},
    "contacts-options": {"GET": MEMBER},
    "contacts-number": {"GET": MEMBER},
    "contacts-delete": {"POST": ADMIN},
    "contacts-import": {"POST": MEMBER},
    "contacts-import-file": {"POST": MEMBER},
    "contacts-import-file-preview": {"POST": MEMBER},
    "contacts-import-current": {"GET": MEMBER},
    "contacts-import-cancel": {"POST": MEMBER},
    "contacts-import-faults": {"GET": MEMBER},
    "contacts-export": {"GET": MEMBER},
    "contacts-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
    "contacts-data": {"GET": ADMIN},
    "contacts-erase": {"POST": ADMIN},
    "contacts-merge": {"POST": ADMIN},
    "contacts-merges": {"GET": MEMBER},
    "contacts-merge-undo": {"POST": ADMIN},
    "notes": {"POST": MEMBER},
    "notes-list": {"GET": MEMBER},
    "notes-detail": {"DELETE": MEMBER},
    "tags-list": {"GET": MEMBER, "POST": MEMBER},
    "tags-options": {"GET": MEMBER},
    "tags-lanes": {"GET": MEMBER},
    "tags-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "contacts-tickets": {"GET": MEMBER},
    "contacts-media": {"GET": MEMBER},
    "quick-messages-list": {"GET": MEMBER, "POST": MEMBER},
    "quick-messages-options": {"GET": MEMBER},
    "quick-messages-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "quick-messages-file": {"POST": MEMBER, "DELETE": MEMBER},
    "files-list": {"GET": MEMBER, "POST": ADMIN},
    "files-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "files-upload": {"POST": ADMIN},
    "contact-lists-list": {"GET": ADMIN, "POST": ADMIN},
    "contact-lists-options": {"GET": ADMIN},
    "contact-lists-detail": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "contact-lists-upload": {"POST": ADMIN},
    "contact-lists-preview": {"POST": ADMIN},
    "contact-lists-faults": {"GET": ADMIN},
    "contact-list-items-list": {"GET": ADMIN, "POST": ADMIN},
    "contact-list-items-detail": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "segments-list": {"GET": ADMIN, "POST": ADMIN},
    "segments-options": {"GET": ADMIN},
    "segments-count": {"POST": ADMIN},
    "segments-detail": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "opt-outs-list": {"GET": ADMIN, "POST": ADMIN},
    "opt-outs-detail": {"DELETE": ADMIN},
    "opt-outs-export": {"GET": ADMIN},
    "report-conversations": {"GET": ADMIN},
    "report-conversations-export": {"GET": ADMIN},
    "report-figures": {"GET": ADMIN},
    "report-activity": {"GET": ADMIN},
    "report-activity-export": {"GET": ADMIN},
    "costs": {"GET": ADMIN},
    "costs-meter": {"GET": ADMIN},
    "costs-export": {"GET": ADMIN},
    "costs-texts": {"GET": ADMIN},
    "costs-text-stop": {"POST": ADMIN},
    "costs-text-resume": {"POST": ADMIN},
    "tickets-cost": {"GET": ADMIN},
    "campaigns-list": {"GET": ADMIN, "POST": ADMIN},
    "campaigns-detail": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "campaigns-media": {"POST": ADMIN, "DELETE": ADMIN},
    "campaigns-estimate": {"GET": ADMIN},
    "campaigns-start": {"POST": ADMIN},
    "campaigns-trial": {"POST": ADMIN},
    "campaigns-cancel": {"POST": ADMIN},
    "campaigns-restart": {"POST": ADMIN},
    "campaigns-report": {"GET": ADMIN},
    "campaigns-timeline": {"GET": ADMIN},
    "campaigns-recipients": {"GET": ADMIN},
    "campaigns-recipients-export": {"GET": ADMIN},
    "campaigns-preview": {"GET": ADMIN},
    "campaign-settings": {"GET": ADMIN, "POST": ADMIN},
    "dashboard": {"GET": ADMIN},
    "dashboard-breakdown": {"GET": ADMIN},
    "dashboard-tags": {"GET": ADMIN},
    "dashboard-export": {"GET": ADMIN},
    "dashboard-status": {"GET": ADMIN},
    "dashboard-tickets": {"GET": ADMIN},
    "dashboard-users": {"GET": ADMIN},
    "tickets-list": {"GET": MEMBER, "POST": MEMBER},
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
    "tickets-thread-control": {"POST": MEMBER},
    "tickets-assignments": {"GET": MEMBER},
    "tickets-clocks": {"GET": MEMBER},
    "tickets-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
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
    "integrations-list": {"GET": MEMBER, "POST": ADMIN},
    "integrations-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "integrations-secret": {"POST": ADMIN},
    "integrations-test": {"POST": ADMIN},
    "integrations-deliveries": {"GET": ADMIN},
    "integrations-delivery": {"GET": ADMIN},
    "integrations-redeliver": {"POST": ADMIN},
    "outgoing-webhooks-list": {"GET": ADMIN, "POST": ADMIN},
    "outgoing-webhooks-detail": {"GET": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "outgoing-webhooks-secret": {"POST": ADMIN},
    "outgoing-webhooks-test": {"POST": ADMIN},
    "outgoing-webhooks-deliveries": {"GET": ADMIN},
    "outgoing-webhooks-retry": {"POST": ADMIN},
    "prompts-list": {"GET": MEMBER, "POST": ADMIN},
    "prompts-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "prompts-usage": {"GET": ADMIN},
    "prompts-test": {"POST": ADMIN},
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
        rows = ACCESS.get(match.url_name or "", {})
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method == "OPTIONS":
            return True
        if method not in rows:
            if method in {name.upper() for name in view.http_method_names if hasattr(view, name)}:
                raise NoPermission
            return True  # the view answers 405 itself
        needed = rows[method]
        if needed == Access.PUBLIC:
            return True
        user: Any = request.user
        if user is None or not getattr(user, "is_authenticated", False):
            raise SessionExpired
        if user.service_token is not None:
            check_scope(user.service_token, match.url_name, method)
        if access_of(user) < needed:
            raise NoPermission
        if match.url_name not in BILLING_CALLS:
            refuse_overdue(user, request.auth if isinstance(request.auth, Claims) else None)
        feature = FEATURE_OF.get(match.url_name)
        if feature is not None and method in USES and match.url_name not in STOPS:
            check_feature(user.company.plan, feature)
        return True
