"""Who may call what: the one table behind every API view (specification 4 §10).

Keyed by URL name, then method. A view without a row is refused to everybody, and
`tests/test_tenancy.py` fails for it. Rules that depend on the record are the services'.
"""

from apps.accounts.permissions import Access

PUBLIC, MEMBER, ADMIN, SUPER = Access.PUBLIC, Access.MEMBER, Access.ADMIN, Access.SUPER

ACCESS: dict[str, dict[str, Access]] = {
    "login": {"POST": PUBLIC},
    "refresh-token": {"POST": PUBLIC},
    "logout": {"DELETE": PUBLIC},
    "me": {"GET": MEMBER},
    "schema": {"GET": PUBLIC},
    "docs": {"GET": PUBLIC},
    "users-list": {"GET": MEMBER, "POST": ADMIN},
    "users-options": {"GET": MEMBER},
    "users-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
    "company-plan": {"GET": MEMBER},
    "company-schedules": {"GET": MEMBER, "PUT": ADMIN},
    "settings-list": {"GET": MEMBER},
    "settings-detail": {"PUT": ADMIN, "DELETE": ADMIN},
    "queues-list": {"GET": MEMBER, "POST": ADMIN},
    "queues-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "queues-usage": {"GET": ADMIN},
    "queue-options-list": {"GET": MEMBER, "POST": ADMIN},
    "queue-options-detail": {"PUT": ADMIN, "DELETE": ADMIN},
    "connections-list": {"GET": MEMBER, "POST": ADMIN},
    "connections-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "connections-token": {"POST": ADMIN, "DELETE": ADMIN},
    "connections-session": {"POST": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "contacts-list": {"GET": MEMBER, "POST": MEMBER},
    "contacts-options": {"GET": MEMBER},
    "contacts-delete": {"POST": ADMIN},
    "contacts-import": {"POST": MEMBER},
    "contacts-export": {"GET": MEMBER},
    "contacts-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
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
    "tickets-list": {"GET": MEMBER, "POST": MEMBER},
    "tickets-by-uuid": {"GET": MEMBER},
    "tickets-counts": {"GET": MEMBER},
    "tickets-board": {"GET": MEMBER},
    "tickets-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": ADMIN},
    "ticket-tag": {"PUT": MEMBER},
    "ticket-lane": {"DELETE": MEMBER},
    "tags-sync": {"POST": MEMBER},
    "messages": {"GET": MEMBER, "POST": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "messages-resend": {"POST": MEMBER},
    "templates-list": {"GET": MEMBER},
    "templates-media": {"POST": MEMBER},
    "templates-send": {"POST": MEMBER},
    "messages-search": {"GET": MEMBER},
    "messages-reaction": {"POST": MEMBER},
    "messages-forward": {"POST": MEMBER},
    "schedules-list": {"GET": MEMBER, "POST": MEMBER},
    "schedules-detail": {"GET": MEMBER, "PUT": MEMBER, "DELETE": MEMBER},
    "schedules-media": {"POST": MEMBER, "DELETE": MEMBER},
    "schedules-retry": {"POST": MEMBER},
    "integrations-list": {"GET": MEMBER, "POST": ADMIN},
    "integrations-detail": {"GET": MEMBER, "PUT": ADMIN, "DELETE": ADMIN},
    "integrations-secret": {"POST": ADMIN},
}

# What an overdue company's people may still call: the way to pay (specification 4 §9).
BILLING_CALLS: frozenset[str] = frozenset()
