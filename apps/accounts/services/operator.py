"""Opening companies, and setting up the one that runs the service."""

from datetime import date
from typing import Any

from django.db import transaction

from apps.accounts import events
from apps.accounts.models import Profile, User
from apps.accounts.services.sessions import end_sessions
from apps.accounts.services.users import create_user, set_active
from apps.audit.services import record
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


def add_user(*, actor: User, user: User, password: str) -> None:
    """Create the user that the operator filled in, and give it its id; raises as `create_user`."""
    created = create_user(
        company=user.company,
        name=user.name,
        email=user.email,
        password=password,
        profile=user.profile,
        actor=actor,
    )
    user.pk = created.pk
    user.refresh_from_db()


def administer_user(*, actor: User, user: User, changed: set[str], password: str = "") -> None:
    """Save what the operator changed of any company's user; `user` holds the new values already.

    A new password and a switched-off account end the user's sessions; role changes are recorded.
    """
    with transaction.atomic():
        if password:
            user.set_password(password)
        user.save()
        if password:
            end_sessions(user)
        if "profile" in changed:
            record(
                action="user.profile_changed",
                actor=actor,
                company_id=user.company_id,
                target=user,
                detail={"to": user.profile},
            )
        if "is_active" in changed:
            set_active(user=user, is_active=user.is_active, actor=actor)
        else:
            events.user_changed(user, "update")


def record_admin_login(*, user: User, ip_address: str | None) -> None:
    """Record that the super user entered the Django admin."""
    record(
        action="session.opened",
        actor=user,
        company_id=user.company_id,
        target=user,
        detail={"scope": "admin"},
        ip_address=ip_address,
    )
