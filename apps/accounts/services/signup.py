"""Self-service sign-up of companies (rules/companies §7)."""

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services.operator import open_company
from apps.audit.services import record
from apps.billing.queries import public_plans
from apps.billing.services.invoices import make_invoices
from apps.common.errors import DomainError, InvalidInput
from apps.companies.models import Company
from apps.companies.services.keeping import trial_end


class SignupDisabled(DomainError):
    status = 403
    code = "ERR_USER_CREATION_DISABLED"
    message = "O cadastro de novas empresas está desativado. Fale com o Suporte."


def check_signup() -> None:
    """Raise SignupDisabled where only the operator may open companies."""
    if not settings.SIGNUP_ENABLED:
        raise SignupDisabled


def sign_up(
    *,
    company_name: str,
    name: str,
    email: str,
    password: str,
    plan_id: int,
    phone: str = "",
    ip_address: str | None = None,
) -> tuple[Company, User]:
    """Open a company with its first admin; its trial ends tomorrow, and its first invoice is
    created now.

    Raises SignupDisabled, InvalidInput for a plan that is not offered, CompanyNameTaken and
    EmailTaken.
    """
    check_signup()
    if not public_plans().filter(pk=plan_id).exists():
        sentence = "Este plano não é oferecido."
        raise InvalidInput(sentence, fields={"planId": [sentence]}, rule="does_not_exist")
    until = trial_end()
    with transaction.atomic():
        company, user = open_company(
            name=company_name.strip(),
            plan_id=plan_id,
            due_date=until,
            trial_expires_on=until,
            phone=phone,
            admin_name=name,
            admin_email=email.strip().lower(),
            admin_password=password,
        )
        record(
            action="company.created",
            actor=user,
            company_id=company.pk,
            target=company,
            detail={"signup": True},
            ip_address=ip_address,
        )
        make_invoices(company_id=company.pk)
    return company, user
