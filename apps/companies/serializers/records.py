"""The wire shapes of companies as the super user manages them."""

from collections.abc import Collection
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.serializers import BooleanField, IdField, TextField
from apps.companies.models import Company, Recurrence
from apps.companies.queries import settings_in
from apps.companies.serializers.companies import CompanyHoursSerializer, SettingSerializer
from apps.companies.serializers.plans import PlanSerializer

PASSWORD_LENGTH_SENTENCE = "A senha precisa ter de 5 a 50 caracteres."  # noqa: S105


@extend_schema_field({"type": "string", "nullable": True})
class DueDateField(serializers.DateField):
    """A day; an empty or invalid value leaves the due date unchanged."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_null=True, **options)

    def run_validation(self, data: Any = serializers.empty) -> date | None:
        """Return the day, or None; older browsers send a date with a time, or 'Invalid date'."""
        if data is serializers.empty:
            raise serializers.SkipField
        try:
            return date.fromisoformat(str(data)[:10])
        except ValueError:
            return None


@extend_schema_field(
    {
        "oneOf": [
            {"type": "boolean"},
            {"type": "string", "enum": ["true", "false", "enabled", "disabled"]},
        ]
    }
)
class CampaignsEnabledField(serializers.Field[str, Any, str, Any]):
    """The setting `campaignsEnabled`, as a boolean or as the text that a select sends."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return the setting's text."""
        text = str(data).lower()
        if text not in {"true", "false", "enabled", "disabled"}:
            raise serializers.ValidationError("Escolha true ou false.", "invalid_choice")
        return text

    def to_representation(self, value: str) -> str:
        """Return the setting's text."""
        return value


class CompanyInputSerializer(serializers.Serializer[Any]):
    """A company to create or to change; in a change, fields that are left out keep their values."""

    name = serializers.CharField(
        min_length=2,
        max_length=100,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
            "min_length": "O nome precisa ter ao menos 2 caracteres.",
            "max_length": "O nome pode ter no máximo 100 caracteres.",
        },
    )
    email = serializers.EmailField(
        max_length=254,
        required=False,
        allow_blank=True,
        error_messages={"invalid": "Informe um e-mail válido."},
    )
    phone = TextField(max_length=50)
    planId = IdField(
        source="plan_id",
        error_messages={"required": "Escolha um plano.", "null": "Escolha um plano."},
    )
    status = BooleanField(source="is_enabled", required=False)
    dueDate = DueDateField(source="due_date")
    recurrence = serializers.ChoiceField(choices=Recurrence.choices, required=False)
    campaignsEnabled = CampaignsEnabledField(source="campaigns_enabled")
    billingName = TextField(source="billing_name", max_length=200)
    addressZipCode = TextField(source="address_zip_code", max_length=20)
    addressStreet = TextField(source="address_street", max_length=200)
    addressState = TextField(source="address_state", max_length=50)
    addressCity = TextField(source="address_city", max_length=100)
    addressDistrict = TextField(source="address_district", max_length=100)


class NewCompanySerializer(CompanyInputSerializer):
    """A company to create.

    With a password, its first admin is created with the company's e-mail.
    """

    password = serializers.CharField(
        required=False, allow_blank=True, allow_null=True, trim_whitespace=False
    )

    def validate_password(self, password: str | None) -> str:
        """Refuse a password of fewer than 5 or more than 50 characters; empty means none."""
        if password and not 5 <= len(password) <= 50:
            raise serializers.ValidationError(PASSWORD_LENGTH_SENTENCE, "password_length")
        return password or ""

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Require an e-mail with a password: the first admin signs in with it."""
        if values.get("password") and not values.get("email"):
            raise serializers.ValidationError({"email": ["Informe o e-mail."]}, "required")
        return values


class CompanyRecordSerializer(CompanyHoursSerializer):
    """A company with its settings, billing fields, working hours and plan."""

    settings = SettingSerializer(many=True)
    billingName = serializers.CharField(source="billing_name", allow_blank=True)
    addressZipCode = serializers.CharField(source="address_zip_code", allow_blank=True)
    addressStreet = serializers.CharField(source="address_street", allow_blank=True)
    addressState = serializers.CharField(source="address_state", allow_blank=True)
    addressCity = serializers.CharField(source="address_city", allow_blank=True)
    addressDistrict = serializers.CharField(source="address_district", allow_blank=True)
    plan = PlanSerializer()

    def _read_settings(self, company: Company) -> Collection[tuple[str, str]]:
        return settings_in(company).items()


class CompanyPageSerializer(serializers.Serializer[Any]):
    """A page of companies."""

    companies = CompanyRecordSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
