"""The Django admin: its login, and the pages of users and companies."""

from apps.accounts.admin.companies import CompanyAdmin
from apps.accounts.admin.login import admin_login, own_password
from apps.accounts.admin.users import UserAdmin

__all__ = ["CompanyAdmin", "UserAdmin", "admin_login", "own_password"]
