"""Roles: which views each may call, and which actions the browser shows."""

from enum import IntEnum

from apps.accounts.models import User


class Access(IntEnum):
    """The lowest role that a view requires."""

    PUBLIC = 0
    MEMBER = 1
    ADMIN = 2
    SUPER = 3


# rules/accounts §2: admins have all of these actions, users have none.
ADMIN_ACTIONS: tuple[str, ...] = (
    "dashboard:view",
    "drawer-admin-items:view",
    "tickets-manager:showall",
    "user-modal:editProfile",
    "user-modal:editQueues",
    "ticket-options:deleteTicket",
    "contacts-page:deleteContact",
    "connections-page:actionButtons",
    "connections-page:addConnection",
    "connections-page:editOrDeleteConnection",
)


def actions_of(user: User) -> list[str]:
    """Return the user's actions as the browser receives them ('area:action')."""
    return list(ADMIN_ACTIONS) if user.is_admin or user.is_super else []


def access_of(user: User | None) -> Access:
    """Return the highest access level of a caller."""
    if user is None:
        return Access.PUBLIC
    if user.is_super:
        return Access.SUPER
    return Access.ADMIN if user.is_admin else Access.MEMBER
