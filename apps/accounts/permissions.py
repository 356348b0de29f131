"""Roles: which calls a role may make, and which actions the browser shows."""

from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.common.errors import NoPermission, SessionExpired

if TYPE_CHECKING:
    from rest_framework.views import APIView

    from apps.accounts.models import User


class Access(IntEnum):
    """The least role that a call asks for."""

    PUBLIC = 0
    MEMBER = 1
    ADMIN = 2
    SUPER = 3


# Specification 1 §6: users hold none of these, admins all.
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


def actions_of(user: "User") -> list[str]:
    """Return the actions that the user holds, as the browser receives them ('area:action')."""
    return list(ADMIN_ACTIONS) if user.is_admin or user.is_super else []


def access_of(user: "User | None") -> Access:
    """Return the highest level that a caller reaches."""
    if user is None:
        return Access.PUBLIC
    if user.is_super:
        return Access.SUPER
    return Access.ADMIN if user.is_admin else Access.MEMBER


class AccessPermission(BasePermission):
    """Admit a caller by the table in `config.access`; an unlisted call is refused."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Tell whether the call is admitted.

        Raises SessionExpired, NoPermission, and CompanyExpired for what an overdue company may not
        call any more.
        """
        from apps.accounts.services.sessions import refuse_overdue
        from apps.accounts.tokens import Claims

        match: Any = request.resolver_match
        access = import_module("config.access")
        rows = access.ACCESS.get(match.url_name or "", {})
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
        if access_of(user) < needed:
            raise NoPermission
        if match.url_name not in access.BILLING_CALLS:
            refuse_overdue(user, request.auth if isinstance(request.auth, Claims) else None)
        return True
