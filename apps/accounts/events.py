from typing import Literal

from rest_framework import serializers

from apps.accounts.models import User
from apps.accounts.serializers import TokenVersionSerializer, UserSerializer
from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit, recheck_token, recheck_user

USER = LiveEvent(
    "user",
    create={"user": UserSerializer()},
    update={"user": UserSerializer()},
    delete={"userId": serializers.IntegerField()},
)
AUTH = LiveEvent(
    "auth",
    update={"user": TokenVersionSerializer(), "tokenVersion": serializers.IntegerField()},
)


def user_changed(user: User, action: Literal["create", "update"]) -> None:
    row = row_of(UserSerializer, user)
    emit(USER, action, {"user": row}, company_id=user.company_id)
    recheck_user(user.pk)


def user_deleted(*, company_id: int, user_id: int) -> None:
    emit(USER, "delete", {"userId": user_id}, company_id=company_id)
    recheck_user(user_id)


def signed_in_elsewhere(user: User) -> None:
    """Sign the account's other browsers out.

    The new browser ignores the event, since it already has this token version.
    """
    payload = {
        "user": row_of(TokenVersionSerializer, user),
        "tokenVersion": user.token_version,
    }
    emit(AUTH, "update", payload, company_id=user.company_id)
    recheck_user(user.pk)


def service_token_revoked(token_id: int) -> None:
    """Close the sockets of a revoked token."""
    recheck_token(token_id)


def signed_out(user: User) -> None:
    """Disconnect the sockets of the user's ended sessions."""
    recheck_user(user.pk)
