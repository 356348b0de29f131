"""Opening companies, and setting up the one that runs the service."""

from datetime import date
from typing import Any

from django.db import transaction

from apps.accounts.models import Profile, User
from apps.accounts.services.users import create_user
from apps.billing.services import ensure_plan
from apps.companies.models import Company
from apps.companies.services import create_company, ensure_super_company

OPERATOR_PLAN = "Completo"


def open_company(
    *,
    name: str,
    plan_id: int,
    due_date: date,
    admin_name: str,
    admin_email: str,
    admin_password: str,
    **fields: Any,
) -> tuple[Company, User]:
    """Create a company and its first admin, both or neither.

    `fields` are the optional ones of `companies.services.create_company`.
    """
    with transaction.atomic():
        company = create_company(
            name=name, plan_id=plan_id, due_date=due_date, email=admin_email, **fields
        )
        admin = create_user(
            company=company,
            name=admin_name,
            email=admin_email,
            password=admin_password,
            profile=Profile.ADMIN,
        )
    return company, admin


def set_up_operator(*, email: str, password: str, name: str = "Administrador") -> tuple[User, bool]:
    """Make what is missing of company 1: its plan, the company and the super user.

    Returns the super user and whether it is new; an existing one is left as it is.
    """
    with transaction.atomic():
        company = ensure_super_company(plan_id=ensure_plan(name=OPERATOR_PLAN).pk)
        existing = User.objects.filter(is_super=True).first()
        if existing is not None:
            return existing, False
        user = create_user(
            company=company,
            name=name,
            email=email,
            password=password,
            profile=Profile.ADMIN,
            is_super=True,
        )
    return user, True
