"""Reads of a company's settings."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from apps.common.encryption import decrypt
from apps.companies.models import SECRET_SETTINGS, SETTINGS, Company, CompanySetting


def settings_of(company_id: int) -> dict[str, str]:
    """Return every known setting of a company with its value, defaults included, in one query.

    Secret ones are returned in the clear: mask them before they leave the server.
    """
    values = {key: default for key, (default, _) in SETTINGS.items()}
    stored = CompanySetting.objects.for_company(company_id).values_list("key", "value")
    for key, value in stored:
        if key in values:
            values[key] = decrypt(value) if key in SECRET_SETTINGS and value else value
    return values


def setting_of(company_id: int, key: str) -> str:
    """Return one setting's value; raises KeyError for a key that does not exist."""
    default, _ = SETTINGS[key]
    value = (
        CompanySetting.objects.for_company(company_id)
        .filter(key=key)
        .values_list("value", flat=True)
        .first()
    )
    if value is None:
        return default
    return decrypt(value) if key in SECRET_SETTINGS and value else value


def zone_of(company_id: int) -> ZoneInfo:
    """Return the company's time zone (default America/Sao_Paulo, specification 4 §3.3)."""
    return ZoneInfo(setting_of(company_id, "timeZone"))


def is_overdue(company: Company, now: datetime | None = None) -> bool:
    """Tell whether the company's due day is over in its zone; company 1 never is (§9).

    The zone is read only when it matters, on the days around the due date.
    """
    if company.is_super:
        return False
    moment = now or timezone.now()
    if abs((company.due_date - moment.astimezone(UTC).date()).days) > 1:
        return company.due_date < moment.date()
    return company.due_date < moment.astimezone(zone_of(company.pk)).date()
