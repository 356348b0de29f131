"""Services of companies and their settings."""

from apps.companies.services.companies import (
    NEVER,
    CompanyDisabled,
    CompanyExpired,
    CompanyNameTaken,
    CompanyNotFound,
    SuperCompanyDueDateFixed,
    change_schedules,
    create_company,
    end_overdue,
    ensure_super_company,
    extend_due_date,
    get_company,
    months_later,
    save_company,
    shorten_due_date,
)
from apps.companies.services.removal import SuperCompanyStays, delete_company, remove_due
from apps.companies.services.settings import (
    OPENS_ALL,
    SettingNotFound,
    change_setting,
    forget_setting,
)

__all__ = [
    "NEVER",
    "OPENS_ALL",
    "CompanyDisabled",
    "CompanyExpired",
    "CompanyNameTaken",
    "CompanyNotFound",
    "SettingNotFound",
    "SuperCompanyDueDateFixed",
    "SuperCompanyStays",
    "change_schedules",
    "change_setting",
    "create_company",
    "delete_company",
    "end_overdue",
    "ensure_super_company",
    "extend_due_date",
    "forget_setting",
    "get_company",
    "months_later",
    "remove_due",
    "save_company",
    "shorten_due_date",
]
