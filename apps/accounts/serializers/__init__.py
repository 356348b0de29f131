"""The wire shapes of users and sessions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.accounts.devices import device_name, place_name
from apps.accounts.models import Profile, User, granted_by, key_of_role
from apps.accounts.permissions import Page, Permission, actions_of, pages_of
from apps.accounts.queries import queues_by_user
from apps.audit.models import AuditEntry
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    RowSerializer,
    TextField,
    UnusedField,
    name_field,
    page_of,
    row_of,
)
from apps.companies.models import Company
from apps.companies.queries import settings_of
from apps.companies.serializers.companies import SettingSerializer
from apps.companies.serializers.plans import CompanyWithPlanSerializer

PASSWORD_LENGTH_SENTENCE = "A senha precisa ter de 5 a 50 caracteres."  # noqa: S105
WEAK_SENTENCE = (
    "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um"
    " número."
)


def email_field() -> serializers.EmailField:
    """Return a required e-mail field."""
    return serializers.EmailField(
        max_length=254,
        error_messages={
            "required": "Informe o e-mail.",
            "blank": "Informe o e-mail.",
            "null": "Informe o e-mail.",
            "invalid": "Informe um e-mail válido.",
        },
    )


class CredentialsSerializer(serializers.Serializer[Any]):
    """The credentials of a login."""

    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    code = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=50,
        help_text=(
            "A code of the authenticator or a recovery code; required after"
            " ERR_TWO_FACTOR_REQUIRED."
        ),
    )


class UserInputSerializer(serializers.Serializer[Any]):
    """A user to create or to change (rules/accounts §1)."""

    name = name_field()
    email = email_field()
    password = serializers.CharField(
        required=False, allow_blank=True, allow_null=True, trim_whitespace=False
    )
    profile = serializers.ChoiceField(
        choices=Profile.choices,
        required=False,
        help_text="The role in the words of older browsers. With `role`, what that one has.",
    )
    role = serializers.CharField(
        max_length=20,
        required=False,
        help_text="The key of a role: `user`, `supervisor`, `admin`, or the id of an own one.",
    )
    whatsappId = OptionalIdField(source="connection_id")
    queueIds = BoundedListField(child=IdField(), required=False, source="queue_ids", max_length=500)
    allTicket = UnusedField(
        "Desabilite a opção: só administradores veem os atendimentos sem fila.",
        opened_with="desabled",  # the word of older browsers
    )

    def validate_password(self, password: str | None) -> str:
        """Refuse a password of fewer than 5 or more than 50 characters; empty means none."""
        if password and not 5 <= len(password) <= 50:
            raise serializers.ValidationError(PASSWORD_LENGTH_SENTENCE, "password_length")
        return password or ""


class CompanySignupSerializer(serializers.Serializer[Any]):
    """A company to create with its first admin.

    Without `companyName`, `name` is the name of both.
    """

    companyName = name_field(required=False, source="company_name")
    name = name_field()
    email = email_field()
    phone = TextField(max_length=50)
    password = serializers.CharField(
        trim_whitespace=False,
        error_messages={
            "required": "Informe a senha.",
            "blank": "Informe a senha.",
            "null": "Informe a senha.",
        },
    )
    planId = IdField(
        source="plan_id",
        error_messages={"required": "Escolha um plano.", "null": "Escolha um plano."},
    )

    def validate_password(self, password: str) -> str:
        """Refuse a password of fewer than 5 or more than 50 characters."""
        if not 5 <= len(password) <= 50:
            raise serializers.ValidationError(PASSWORD_LENGTH_SENTENCE, "password_length")
        return password

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Use the admin's name for the company if the form has no company name."""
        return {"company_name": values["name"], **values}


class ResetOfferSerializer(serializers.Serializer[Any]):
    """Whether this server can send codes for a new password."""

    enabled = serializers.BooleanField()


class ResetRequestSerializer(serializers.Serializer[Any]):
    """The e-mail of the account that needs a new password."""

    email = email_field()


class NewPasswordSerializer(serializers.Serializer[Any]):
    """The code that was sent, and the password to set (rules/accounts §11)."""

    email = email_field()
    code = serializers.CharField(
        max_length=50,
        error_messages={
            "required": "Informe o código.",
            "blank": "Informe o código.",
            "null": "Informe o código.",
        },
    )
    password = serializers.CharField(
        max_length=50,
        trim_whitespace=False,
        error_messages={
            "required": "Informe a senha.",
            "blank": "Informe a senha.",
            "null": "Informe a senha.",
        },
    )

    def validate_password(self, password: str) -> str:
        """Refuse fewer than 8 characters, or no capital letter, no small letter or no digit."""
        kinds = (str.isupper, str.islower, str.isdigit)
        if len(password) < 8 or not all(any(map(is_one, password)) for is_one in kinds):
            raise serializers.ValidationError(WEAK_SENTENCE, "password_strength")
        return password


class OlderAnswerSerializer(serializers.Serializer[Any]):
    """The response for older browsers.

    `status` is always 200, also for an address without an account.
    """

    status = serializers.IntegerField()
    message = serializers.CharField()


class CompanySignupOfferSerializer(serializers.Serializer[Any]):
    """Whether anyone may sign up with a new company, and whether there is a plan to choose."""

    enabled = serializers.BooleanField()
    hasPlans = serializers.BooleanField()


class UserChangesSerializer(UserInputSerializer):
    """The fields of a user to change."""

    currentPassword = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=1000,
        trim_whitespace=False,
        source="current_password",
        help_text=(
            "The caller's present password. Required to change the own e-mail and, while"
            " a second factor is on, the own password."
        ),
    )


class ChoicesSerializer(serializers.Serializer[Any]):
    """The preferences of the signed-in user."""

    opensNext = BooleanField(
        source="opens_next",
        help_text=(
            "True: after a ticket is resolved, the browser opens the next one instead of the list."
        ),
    )


class CurrentPasswordSerializer(serializers.Serializer[Any]):
    """The caller's present password, which confirms a sensitive change."""

    currentPassword = serializers.CharField(
        max_length=1000, trim_whitespace=False, source="current_password"
    )


class CodeSerializer(serializers.Serializer[Any]):
    """A code that the authenticator shows."""

    code = serializers.CharField(max_length=50)


class TwoFactorSerializer(RowSerializer):
    """The state of an account's second factor.

    `activeSince` is null while it is off; `recoveryCodes` is the number of unused ones.
    """

    activeSince = serializers.DateTimeField(source="active_since", allow_null=True)
    recoveryCodes = serializers.IntegerField(source="recovery_codes")


class EnrolmentSerializer(serializers.Serializer[Any]):
    """The secret for an authenticator, to type, and the address to show as a QR code."""

    secret = serializers.CharField()
    address = serializers.CharField()


class RecoveryCodesSerializer(serializers.Serializer[Any]):
    """Recovery codes; no other response contains them."""

    recoveryCodes = serializers.ListField(child=serializers.CharField())


class SignInSerializer(RowSerializer):
    """A sign-in to the account: its time, device and place."""

    id = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    device = serializers.CharField(
        help_text=(
            "Browser and system, for example `Chrome, Windows`; empty if they are not known."
        )
    )
    ipAddress = serializers.CharField(source="ip_address", allow_null=True)
    place = serializers.CharField(
        help_text=(
            "Place of the IP address, for example `Campinas, Brasil`; empty if it is not known."
        )
    )
    isAdmin = serializers.BooleanField(
        help_text="Whether the sign-in was to the operator's admin pages."
    )

    def _read_device(self, entry: AuditEntry) -> str:
        return device_name(entry.detail.get("device", ""))

    def _read_place(self, entry: AuditEntry) -> str:
        return place_name(entry.ip_address, self.context["language"])

    def _read_isAdmin(self, entry: AuditEntry) -> bool:
        return bool(entry.detail.get("scope") == "admin")


SignInPageSerializer = page_of("records", SignInSerializer, "A page of sign-ins.")


class UserQueueSerializer(RowSerializer):
    """The link of a user to a queue, which older browsers read."""

    userId = serializers.IntegerField(source="user_id")
    queueId = serializers.IntegerField(source="id")


class QueueOfUserSerializer(RowSerializer):
    """A queue of a user."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    UserQueue = UserQueueSerializer(source="*")


class CompanyOfUserSerializer(CompanyWithPlanSerializer):
    """A user's company with its settings."""

    settings = SettingSerializer(many=True)

    def _read_settings(self, company: Company) -> Collection[tuple[str, str]]:
        return settings_of(company.pk).items()


class UserSerializer(RowSerializer):
    """A user as all users of the company see it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    profile = serializers.ChoiceField(
        choices=Profile.choices,
        help_text="The role as older browsers know it; `user` for every role but `admin`.",
    )
    role = serializers.CharField(source="role_key", help_text="The key of the role.")
    roleName = serializers.CharField(
        allow_blank=True, help_text="The name of an own role; empty for a fixed one."
    )
    seesAll = serializers.BooleanField(
        help_text="Whether the role lets the user see and hold the tickets of every queue."
    )
    super = serializers.BooleanField(source="is_super")
    companyId = serializers.IntegerField(source="company_id")
    company = CompanyOfUserSerializer()
    whatsappId = serializers.IntegerField(source="connection_id", allow_null=True)
    queues = QueueOfUserSerializer(many=True)
    online = serializers.BooleanField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_queues(self, user: User) -> list[dict[str, Any]]:
        return [
            {"user_id": user.pk, "id": queue_id, "name": name, "color": color}
            for queue_id, name, color in queues_by_user([user.pk]).get(user.pk, ())
        ]

    def _read_roleName(self, user: User) -> str:
        return user.own_role.name if user.own_role else ""

    def _read_seesAll(self, user: User) -> bool:
        return user.may(Permission.SEE_ALL)

    def _read_online(self, user: User) -> bool:
        return user.online_until is not None and user.online_until > timezone.now()


def user_rows(
    company: Company,
    users: Iterable[Sequence[Any]],
    queues: Mapping[int, Iterable[Sequence[Any]]],
) -> list[dict[str, Any]]:
    """Return the rows of `UserSerializer` for users of one company, from the values of
    USER_COLUMNS, and of USER_QUEUE_COLUMNS by user.
    """
    now, company_row = timezone.now(), row_of(CompanyOfUserSerializer, company)
    rows = []
    for pk, name, email, profile, is_super, company_id, connection_id, *others in users:
        is_supervisor, role_id, role_name, own, online_until, created_at, updated_at = others
        rows.append(
            {
                "id": pk,
                "name": name,
                "email": email,
                "profile": profile,
                "role": key_of_role(profile, is_supervisor, role_id),
                "roleName": "" if profile == Profile.ADMIN else role_name or "",
                "seesAll": Permission.SEE_ALL in granted_by(profile, is_super, is_supervisor, own),
                "super": is_super,
                "companyId": company_id,
                "company": company_row,
                "whatsappId": connection_id,
                "queues": [
                    {
                        "id": queue_id,
                        "name": queue_name,
                        "color": color,
                        "UserQueue": {"userId": pk, "queueId": queue_id},
                    }
                    for queue_id, queue_name, color in queues.get(pk, ())
                ],
                "online": online_until is not None and online_until > now,
                "createdAt": created_at,
                "updatedAt": updated_at,
            }
        )
    return rows


class SessionUserSerializer(UserSerializer):
    """The user who is signed in, with the actions that the browser may show."""

    permissions = serializers.ListField(
        child=serializers.CharField(), help_text="The actions that older browsers show."
    )
    granted = serializers.ListField(
        child=serializers.ChoiceField(choices=Permission.choices),
        help_text="The permissions of the user's role (rules/accounts §2).",
    )
    pages = serializers.ListField(
        child=serializers.ChoiceField(choices=Page.choices),
        help_text="Those of the pages that need a permission which the user may open.",
    )
    opensNext = serializers.BooleanField(source="opens_next")
    tokenVersion = serializers.IntegerField(source="token_version")

    def _read_permissions(self, user: User) -> list[str]:
        return actions_of(user.granted)

    def _read_granted(self, user: User) -> list[str]:
        return sorted(user.granted)

    def _read_pages(self, user: User) -> list[str]:
        return list(pages_of(user.granted))


class TokenVersionSerializer(RowSerializer):
    """A user whose sessions with an older token version have ended."""

    id = serializers.IntegerField()
    tokenVersion = serializers.IntegerField(source="token_version")


class SessionSerializer(serializers.Serializer[Any]):
    """An access token and its user; the refresh token is in the cookie."""

    token = serializers.CharField()
    user = SessionUserSerializer()
    simulator = serializers.BooleanField(
        required=False,
        help_text="True on a demo server, which simulates WhatsApp at /simulator; else left out.",
    )
    simulatedQr = serializers.BooleanField(
        required=False,
        help_text=(
            "True if QR codes are scanned on that page and not by a real phone; else left out."
        ),
    )


UserPageSerializer = page_of("users", UserSerializer, "A page of users.")
