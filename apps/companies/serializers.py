"""The wire shapes of companies and their settings."""

from typing import Any

from rest_framework import serializers

from apps.common.encryption import masked
from apps.companies.models import SECRET_SETTINGS, Company, Recurrence


class SettingSerializer(serializers.Serializer[Any]):
    """One setting; a secret's value is a mask when it is set."""

    key = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class SettingInputSerializer(serializers.Serializer[Any]):
    """A setting's new value; the key in the body must be that of the address."""

    key = serializers.CharField(required=False)
    value = serializers.CharField(allow_blank=True, trim_whitespace=False)

    def validate_key(self, key: str) -> str:
        """Refuse another key than the address's."""
        if key != self.context["key"]:
            raise serializers.ValidationError("A chave não é a do endereço.")
        return key


class CompanySerializer(serializers.Serializer[Any]):
    """A company as its own people see it; dates are calendar days in its zone."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)
    planId = serializers.IntegerField()
    status = serializers.BooleanField()
    dueDate = serializers.DateField()
    trialExpiration = serializers.DateField(allow_null=True)
    recurrence = serializers.ChoiceField(choices=Recurrence.choices)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


def setting_rows(values: dict[str, str]) -> list[dict[str, str]]:
    """Return settings as the wire shows them: key and value, secrets masked."""
    return [
        {"key": key, "value": masked(value) if key in SECRET_SETTINGS else value}
        for key, value in values.items()
    ]


def company_row(company: Company) -> dict[str, Any]:
    """Return a company in the shape of `CompanySerializer`."""
    return {
        "id": company.pk,
        "name": company.name,
        "email": company.email,
        "phone": company.phone,
        "planId": company.plan_id,
        "status": company.is_enabled,
        "dueDate": company.due_date,
        "trialExpiration": company.trial_expires_on,
        "recurrence": company.recurrence,
        "createdAt": company.created_at,
        "updatedAt": company.updated_at,
    }
