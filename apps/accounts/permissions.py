"""Roles and permissions (rules/accounts §2): the one table of them.

`Permission` names them all, `PAGES` what they open, and `config.access.ACCESS` the calls that need
them. From these follow the checks, the session's record, the note in the OpenAPI schema and
`tests/calls/test_roles.py`.
"""

from collections.abc import Iterable
from enum import IntEnum

from django.db.models import TextChoices


class Access(IntEnum):
    """Who may call a view, before any permission."""

    PUBLIC = 0
    MEMBER = 1
    SUPER = 3


class Permission(TextChoices):
    """What a role may allow; the part before the colon is its group on the screen.

    Without `tickets:seeQueues` and `tickets:seeAll` a person sees only the tickets that they hold.
    """

    SEE_QUEUES = "tickets:seeQueues"
    SEE_ALL = "tickets:seeAll"
    TAKE = "tickets:take"
    ASSIGN = "tickets:assign"
    TRANSFER = "tickets:transfer"
    RESOLVE = "tickets:resolve"
    DELETE_TICKETS = "tickets:delete"
    SEE_CONTACTS = "contacts:see"
    EDIT_CONTACTS = "contacts:edit"
    DELETE_CONTACTS = "contacts:delete"
    EXPORT_CONTACTS = "contacts:export"
    FULL_NUMBER = "contacts:fullNumber"
    CAMPAIGNS = "campaigns:manage"
    CONNECTIONS = "connections:manage"
    QUEUES = "queues:manage"
    RULES = "rules:manage"
    AI = "ai:manage"
    OWN_REPORTS = "reports:own"
    QUEUE_REPORTS = "reports:queue"
    REPORTS = "reports:all"
    BILLING = "billing:manage"
    USERS = "users:manage"
    SETTINGS = "settings:manage"
    PROGRAMS = "programs:manage"


ALL = frozenset(Permission)
# rules/accounts §2: what a `user` may do.
OF_USERS = frozenset(
    {
        *(Permission.SEE_QUEUES, Permission.TAKE, Permission.ASSIGN, Permission.TRANSFER),
        *(Permission.RESOLVE, Permission.SEE_CONTACTS, Permission.EDIT_CONTACTS),
        *(Permission.EXPORT_CONTACTS, Permission.FULL_NUMBER),
    }
)
# A `supervisor` may do besides.
OF_SUPERVISORS = OF_USERS | {
    *(Permission.SEE_ALL, Permission.OWN_REPORTS, Permission.QUEUE_REPORTS, Permission.REPORTS),
}

# A permission that means nothing without another one.
NEEDS: dict[Permission, Permission] = {
    Permission.SEE_ALL: Permission.SEE_QUEUES,
    Permission.EDIT_CONTACTS: Permission.SEE_CONTACTS,
    Permission.DELETE_CONTACTS: Permission.SEE_CONTACTS,
    Permission.EXPORT_CONTACTS: Permission.SEE_CONTACTS,
    Permission.QUEUE_REPORTS: Permission.OWN_REPORTS,
    Permission.REPORTS: Permission.QUEUE_REPORTS,
}

# Those that live events need (`LiveEvent.needs`): a socket is in the room of each.
OF_EVENTS = frozenset({Permission.SEE_CONTACTS, Permission.CAMPAIGNS, Permission.RULES})

# The permissions of older browsers, 'area:action', and what each stands for: they show an action
# to whom one of these is granted. Admins have all, users none.
OLDER_ACTIONS: dict[str, frozenset[Permission]] = {
    "dashboard:view": frozenset({Permission.REPORTS}),
    "drawer-admin-items:view": frozenset(
        {
            *(Permission.CAMPAIGNS, Permission.CONNECTIONS, Permission.QUEUES, Permission.AI),
            *(Permission.BILLING, Permission.USERS, Permission.SETTINGS, Permission.PROGRAMS),
        }
    ),
    "tickets-manager:showall": frozenset({Permission.SEE_ALL}),
    "user-modal:editProfile": frozenset({Permission.USERS}),
    "user-modal:editQueues": frozenset({Permission.USERS}),
    "ticket-options:deleteTicket": frozenset({Permission.DELETE_TICKETS}),
    "contacts-page:deleteContact": frozenset({Permission.DELETE_CONTACTS}),
    "connections-page:actionButtons": frozenset({Permission.CONNECTIONS}),
    "connections-page:addConnection": frozenset({Permission.CONNECTIONS}),
    "connections-page:editOrDeleteConnection": frozenset({Permission.CONNECTIONS}),
}


class Page(TextChoices):
    """The pages of the browser that a permission opens; all others are open to everybody."""

    DASHBOARD = "dashboard"
    REPORTS = "reports"
    CONTACTS = "contacts"
    SCHEDULES = "schedules"
    CAMPAIGNS = "campaigns"
    CONTACT_LISTS = "contactLists"
    OPT_OUTS = "optOuts"
    CAMPAIGN_SETTINGS = "campaignSettings"
    CONNECTIONS = "connections"
    FILES = "files"
    QUEUES = "queues"
    USERS = "users"
    TEAM = "team"
    TEMPLATES = "templates"
    PROMPTS = "prompts"
    INTEGRATIONS = "integrations"
    MESSAGES_API = "messagesApi"
    OUTGOING_WEBHOOKS = "outgoingWebhooks"
    INVOICES = "invoices"
    SUBSCRIPTION = "subscription"
    COSTS = "costs"
    AUDIT_LOG = "auditLog"
    SETTINGS = "settings"


PAGES: dict[Page, Permission] = {
    Page.DASHBOARD: Permission.REPORTS,
    Page.REPORTS: Permission.OWN_REPORTS,
    Page.CONTACTS: Permission.SEE_CONTACTS,
    Page.SCHEDULES: Permission.SEE_CONTACTS,
    Page.CAMPAIGNS: Permission.CAMPAIGNS,
    Page.CONTACT_LISTS: Permission.CAMPAIGNS,
    Page.OPT_OUTS: Permission.CAMPAIGNS,
    Page.CAMPAIGN_SETTINGS: Permission.CAMPAIGNS,
    Page.CONNECTIONS: Permission.CONNECTIONS,
    Page.FILES: Permission.QUEUES,
    Page.QUEUES: Permission.QUEUES,
    Page.USERS: Permission.USERS,
    Page.TEAM: Permission.SEE_ALL,
    Page.TEMPLATES: Permission.CONNECTIONS,
    Page.PROMPTS: Permission.AI,
    Page.INTEGRATIONS: Permission.QUEUES,
    Page.MESSAGES_API: Permission.PROGRAMS,
    Page.OUTGOING_WEBHOOKS: Permission.PROGRAMS,
    Page.INVOICES: Permission.BILLING,
    Page.SUBSCRIPTION: Permission.BILLING,
    Page.COSTS: Permission.BILLING,
    Page.AUDIT_LOG: Permission.SETTINGS,
    Page.SETTINGS: Permission.SETTINGS,
}


def actions_of(granted: frozenset[str]) -> list[str]:
    """Return the actions that older browsers show to whom these permissions are granted."""
    return [action for action, needed in OLDER_ACTIONS.items() if needed & granted]


def pages_of(granted: frozenset[str]) -> list[Page]:
    """Return the pages that these permissions open."""
    return [page for page, needed in PAGES.items() if needed in granted]


def known_permissions(names: Iterable[str]) -> frozenset[Permission]:
    """Return the permissions of a stored role.

    Names that this version does not know are passed over: a newer one may have stored them.
    """
    return frozenset(map(Permission, set(names) & set(Permission.values)))
