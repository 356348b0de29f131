"""The wire shapes of service tokens (rules/accounts §12)."""

from typing import Any

from rest_framework import serializers

from apps.accounts.models import Scope, ServiceToken
from apps.common.serializers import (
    BoundedListField,
    RowSerializer,
    ZonedDateTimeField,
    name_field,
    page_of,
)


class ServiceTokenInputSerializer(serializers.Serializer[Any]):
    """A service token to create (rules/accounts §12)."""

    name = name_field()
    scopes = BoundedListField(
        max_length=len(Scope),
        allow_empty=False,
        child=serializers.ChoiceField(
            choices=Scope.choices,
            error_messages={"invalid_choice": "Esta permissão não existe."},
        ),
        error_messages={
            **dict.fromkeys(("required", "null", "empty"), "Escolha pelo menos uma permissão.")
        },
    )
    expiresAt = ZonedDateTimeField(
        source="expires_at",
        required=False,
        allow_null=True,
        error_messages=dict.fromkeys(
            ("invalid", "date", "make_aware", "overflow"), "Informe uma data que existe."
        ),
        help_text="The token's end; null, or left out: none.",
    )


class ServiceTokenSerializer(RowSerializer):
    """A company's service token, without its text."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    lastUsedAt = serializers.DateTimeField(
        source="last_used_at", allow_null=True, help_text="Exact to a minute; null: never used."
    )
    createdBy = serializers.CharField(
        allow_blank=True, help_text="The creator's name; empty after the account was deleted."
    )

    def _read_createdBy(self, token: ServiceToken) -> str:
        return token.user.name if token.user else ""


class CreatedServiceTokenSerializer(ServiceTokenSerializer):
    """A new service token with its text, which no other response contains."""

    token = serializers.CharField()

    def _read_token(self, token: ServiceToken) -> str:
        return str(self.context["token"])


ServiceTokenPageSerializer = page_of(
    "serviceTokens", ServiceTokenSerializer, "A page of a company's service tokens."
)
