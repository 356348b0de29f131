from typing import Literal

from rest_framework import serializers

from apps.accounts.models import Role, User
from apps.accounts.queries import role_row
from apps.accounts.serializers import TokenVersionSerializer, UserSerializer
from apps.accounts.serializers.roles import RoleSerializer
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

ROLE = LiveEvent(
    "role",
    create={"record": RoleSerializer()},
    update={"record": RoleSerializer()},
    delete={"id": serializers.IntegerField()},
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


def role_changed(role: Role, action: Literal["create", "update"]) -> None:
    """Tell the company of a role, and judge the sockets of those who have it anew.

    Their browsers fetch their session again.
    """
    emit(
        ROLE, action, {"record": row_of(RoleSerializer, role_row(role))}, company_id=role.company_id
    )
    for user_id in User.objects.filter(role=role).values_list("pk", flat=True):
        recheck_user(user_id)


def role_deleted(*, company_id: int, role_id: int) -> None:
    emit(ROLE, "delete", {"id": role_id}, company_id=company_id)
