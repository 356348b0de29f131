"""Services of the operator: open companies, set up company 1, and administer users."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.accounts import events
from apps.accounts.models import Profile, User
from apps.accounts.services.roles import (
    judge_role,
    lock_roles,
    named_role,
    role_fields,
)
from apps.accounts.services.sessions import end_sessions
from apps.accounts.services.users import create_user, set_active, tell_owner
from apps.audit.services import record
from apps.billing.models import Payment
from apps.billing.services import ensure_plan
from apps.companies.models import Company
from apps.companies.services import create_company, ensure_super_company
from apps.mail.services.outbox import write_mail

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
    """Create a company and its first admin in one transaction.

    `fields` are the optional arguments of `companies.services.create_company`.
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


def make_first_admin(company: Company, password: str) -> None:
    """Create a new company's first admin, who signs in with the company's e-mail."""
    create_user(
        company=company,
        name=company.name[:50],
        email=company.email,
        password=password,
        profile=Profile.ADMIN,
    )


def tell_of_refund(payment: Payment, returned: Decimal, company: Company) -> None:
    """E-mail the super user that a company's payment went back, and until when it is active."""
    operator = User.objects.filter(is_super=True).first()
    if operator is not None:
        write_mail(
            company_id=operator.company_id,
            recipient=operator.email,
            template="accounts/mail/payment_refunded",
            language="",
            name=operator.name,
            company=company.name,
            returned=f"{returned:.2f}".replace(".", ","),
            detail=payment.invoice.detail,
            reference=payment.reference,
            due_date=company.due_date,
        )


def set_up_operator(*, email: str, password: str, name: str = "Administrador") -> tuple[User, bool]:
    """Create what is missing of company 1, its plan and the super user.

    Returns the super user and whether it was created; an existing one is not changed.
    """
    with transaction.atomic():
        company = ensure_super_company(plan_id=ensure_plan(name=OPERATOR_PLAN, is_public=False).pk)
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


def add_user(*, actor: User, user: User, role: str, password: str) -> None:
    """Create the user of the operator's form, and set its id; raises the errors of
    `create_user`.
    """
    created = create_user(
        company=user.company,
        name=user.name,
        email=user.email,
        password=password,
        role=role,
        actor=actor,
    )
    user.pk = created.pk
    user.refresh_from_db()


def administer_user(
    *,
    actor: User,
    user: User,
    changed: set[str],
    role: str | None = None,
    password: str = "",
    ip_address: str | None = None,
    language: str = "",
) -> None:
    """Save the operator's changes to a user of any company; `user` already holds the new values.

    `role` is the key of the role that it gets (`User.role_key`), None if that stays. A new password
    ends the user's sessions, and so does switching the account off. Changes of password and role
    are audited. When operators change their own password or e-mail, they receive an e-mail, as in
    `update_user`. Raises LastAdmin and LastManager.
    """
    with transaction.atomic():
        lock_roles(user.company_id)
        stored = User.objects.get(pk=user.pk)
        if password:
            user.set_password(password)
        for name, value in role_fields(user.company_id, role or stored.role_key).items():
            setattr(user, name, value)
        user.save()
        judge_role(None, user, stored)
        if password:
            end_sessions(user)
            record(
                action="user.password_changed",
                actor=actor,
                company_id=user.company_id,
                target=user,
                ip_address=ip_address,
            )
        if actor.pk == user.pk:
            told = {"email"} if user.email != stored.email else set()
            tell_owner(
                user,
                stored.email,
                told | ({"password"} if password else set()),
                ip_address,
                language,
            )
        if user.role_key != stored.role_key:
            record(
                action="user.profile_changed",
                actor=actor,
                company_id=user.company_id,
                target=user,
                detail={"from": stored.role_key, "to": user.role_key, **named_role(user)},
                ip_address=ip_address,
            )
        if "is_active" in changed:
            set_active(user=user, is_active=user.is_active, actor=actor)
        else:
            events.user_changed(user, "update")


def record_admin_login(*, user: User, ip_address: str | None, device: str = "") -> None:
    """Record that the super user entered the Django admin."""
    record(
        action="session.opened",
        actor=user,
        company_id=user.company_id,
        target=user,
        detail={"scope": "admin", "device": device},
        ip_address=ip_address,
    )
