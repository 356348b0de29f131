"""Identifies the user of a socket, and handles its presence messages."""

from apps.accounts.authentication import user_of_refresh_cookie, user_of_token
from apps.accounts.models import Scope, User
from apps.accounts.permissions import Permission
from apps.accounts.services.presence import mark_online
from apps.accounts.services.service_tokens import (
    TokenWithoutScope,
    caller_of_token,
    is_service_token,
    note_use,
    reload_caller,
)
from apps.accounts.throttles import count_service_call
from apps.accounts.views.users import REFRESH_COOKIE
from apps.common.errors import DomainError
from apps.companies.queries import is_overdue
from apps.realtime.sockets import Handshake, hears, register_accounts

# The events that the scope `events` lets a program hear: those of the records that the other
# scopes serve (rules/accounts §12).
HEARD = frozenset(
    {
        *("ticket", "appMessage", "tag", "queue"),
        *("contact", "contactImport", "ticketNote", "conversationNote"),
        *("template", "quickmessage", "schedule", "file"),
        *("campaign", "campaignSettings", "segment"),
        *("ContactList", "ContactListItem", "ContactListItem-{listId}"),
        "outgoingWebhook",
    }
)


def identify_program(handshake: Handshake) -> User | None:
    """Return the caller of a service token with the scope `events`, or else who `identify` finds.

    Raises TokenWithoutScope, TooManyAttempts, and what `caller_of_token` raises.
    """
    if not is_service_token(handshake.token):
        return identify(handshake)
    caller, token = caller_of_token(handshake.token)
    if Scope.EVENTS not in token.scopes:
        raise TokenWithoutScope([Scope.EVENTS])
    count_service_call(token.pk)
    note_use(token)
    caller.hears = HEARD
    return caller


def identify(handshake: Handshake) -> User | None:
    """Return the user of the access token, or else of the refresh cookie."""
    if handshake.token:
        try:
            return user_of_token(handshake.token)
        except DomainError:
            pass  # older browsers send an expired token together with a valid cookie
    return user_of_refresh_cookie(handshake.cookies.get(REFRESH_COOKIE, ""))


def reload(viewer: User) -> User | None:
    """Return the user as stored now, or None when the session that opened the socket has ended.

    The session also ends when the company becomes overdue; the browser then reconnects, and an
    admin gets a socket for payment events only. Such a socket keeps that limit after the payment,
    until the browser reconnects.
    """
    if viewer.service_token is not None:
        caller = reload_caller(viewer.service_token)
        if caller is not None:
            caller.hears = HEARD
        return caller
    user: User | None = (
        User.objects.select_related("company")
        .filter(
            pk=viewer.pk,
            is_active=True,
            token_version=viewer.token_version,
            company__is_enabled=True,
        )
        .first()
    )
    if user is None:
        return None
    if viewer.only_pays:
        user.only_pays = True
        return user if user.may(Permission.BILLING) else None
    return None if is_overdue(user.company) else user


register_accounts(identify=identify, identify_program=identify_program, reload=reload)


@hears("userStatus")
def user_status(viewer: User) -> None:
    """Mark the user online. Browsers send this message on start and every five minutes."""
    mark_online(user_id=viewer.pk, company_id=viewer.company_id)
