"""Realtime events of companies and their settings."""

from rest_framework import serializers

from apps.companies.serializers.companies import SettingSerializer
from apps.realtime.emit import LiveEvent, emit, recheck_company

SETTING = LiveEvent(
    "settings",
    also="settings",
    # Some older browsers read `setting`, others the two texts beside it.
    update={
        "setting": SettingSerializer(),
        "key": serializers.CharField(),
        "value": serializers.CharField(allow_blank=True),
    },
)


def setting_changed(company_id: int, row: dict[str, str]) -> None:
    """Emit a setting's new value to the company; `row` holds a mask instead of a secret."""
    emit(SETTING, "update", {"setting": row, **row}, company_id=company_id)
    if row["key"] == "allowToSpyMessage":
        recheck_company(company_id)  # the setting decides which tickets' events each user receives


def company_changed(company_id: int) -> None:
    """Recheck the company's sockets: it may now be switched off, overdue or paid."""
    recheck_company(company_id)
