"""Roles: which views each may call, and which actions the browser shows."""

from collections.abc import Iterable
from enum import IntEnum

from apps.accounts.models import User
from apps.common.errors import DomainError


class TokenNotServed(DomainError):
    """No scope of service tokens serves the call (rules/accounts §12)."""

    status = 403
    code = "ERR_TOKEN_NOT_SERVED"
    message = "Tokens de serviço não atendem esta chamada. Ela precisa do login de uma pessoa."


class TokenWithoutScope(DomainError):
    """The service token lacks the scope of the call; the answer names the scopes that serve it."""

    status = 403
    code = "ERR_TOKEN_SCOPE"
    message = "Este token de serviço não tem a permissão que a chamada pede."

    def __init__(self, admitting: Iterable[str]) -> None:
        super().__init__(extra={"scopes": sorted(str(each) for each in admitting)})


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
