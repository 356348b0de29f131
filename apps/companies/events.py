"""What browsers hear about their company."""

from apps.companies.serializers.companies import SettingSerializer
from apps.realtime.emit import LiveEvent, emit, recheck_company

SETTING = LiveEvent("settings", update={"setting": SettingSerializer()})


def setting_changed(company_id: int, row: dict[str, str]) -> None:
    """Tell the company a setting's new value, masked when it is a secret."""
    emit(SETTING, "update", {"setting": row}, company_id=company_id)
    if row["key"] == "allowToSpyMessage":
        recheck_company(company_id)  # it decides whose tickets everyone may hear


def company_changed(company_id: int) -> None:
    """Have the company's sockets judged anew: it may be switched off or paid now."""
    recheck_company(company_id)
