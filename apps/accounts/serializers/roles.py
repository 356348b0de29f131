"""The wire shapes of roles (rules/accounts §2)."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from apps.accounts.permissions import NEEDS, Permission
from apps.accounts.queries import RoleRow
from apps.common.serializers import BoundedListField, RowSerializer, name_field, rows_of


class RoleInputSerializer(serializers.Serializer[Any]):
    """An own role to create or to change (rules/accounts §2)."""

    name = name_field()
    permissions = BoundedListField(
        max_length=len(Permission),
        allow_empty=True,
        child=serializers.ChoiceField(
            choices=Permission.choices,
            error_messages={"invalid_choice": "Esta permissão não existe."},
        ),
        error_messages=dict.fromkeys(("required", "null"), "Escolha as permissões."),
    )


class RoleSerializer(RowSerializer):
    """A role. A fixed one has no id and no name; `key` names it."""

    id = serializers.IntegerField(allow_null=True)
    key = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    permissions = serializers.ListField(child=serializers.ChoiceField(choices=Permission.choices))
    users = serializers.IntegerField(help_text="How many users have it.")


class RolesSerializer(serializers.Serializer[Any]):
    """All roles of the company, the fixed ones first.

    `requires` names, for a permission, the other one without which it can't be given.
    """

    roles = RoleSerializer(many=True)
    requires = serializers.DictField(child=serializers.ChoiceField(choices=Permission.choices))


def roles_body(rows: Iterable[RoleRow]) -> dict[str, Any]:
    return {
        "roles": rows_of(RoleSerializer, list(rows)),
        "requires": {str(each): str(base) for each, base in NEEDS.items()},
    }
