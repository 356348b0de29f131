"""Rules of companies and their settings."""

from apps.companies.services.companies import (
    NEVER,
    CompanyDisabled,
    CompanyExpired,
    CompanyNotFound,
    change_schedules,
    create_company,
    ensure_super_company,
    extend_due_date,
    get_company,
    months_later,
    save_company,
)
from apps.companies.services.settings import (
    SettingNotFound,
    change_setting,
    forget_setting,
)

__all__ = [
    "NEVER",
    "CompanyDisabled",
    "CompanyExpired",
    "CompanyNotFound",
    "SettingNotFound",
    "change_schedules",
    "change_setting",
    "create_company",
    "ensure_super_company",
    "extend_due_date",
    "forget_setting",
    "get_company",
    "months_later",
    "save_company",
]
