"""Reads of a company's settings."""

from zoneinfo import ZoneInfo

from apps.common.encryption import decrypt
from apps.companies.models import SECRET_SETTINGS, SETTINGS, CompanySetting


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
