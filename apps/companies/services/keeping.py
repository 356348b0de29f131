"""Creating, changing and extending companies (rules/companies §1)."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NoPermission
from apps.common.registry import Hook
from apps.companies.models import SETTINGS, Company
from apps.companies.queries import setting_of
from apps.companies.services.companies import (
    CompanyNotFound,
    SuperCompanyDueDateFixed,
    extend_due_date,
    save_company,
)
from apps.companies.services.settings import change_setting

# These hooks are called in the transaction of the change. This one receives a new company and the
# password of its first admin.
first_admin: Hook[[Company, str]] = Hook()
# Receives a company whose plan or recurrence was changed, the actor and their IP address.
terms_changed: Hook[[Company, AbstractBaseUser, str | None]] = Hook()
# Receives a new company, or one whose due date was changed or extended by hand.
due_date_set: Hook[[Company]] = Hook()

CAMPAIGNS = "campaignsEnabled"
# The fields that a company's own admin may change.
BILLING_FIELDS = frozenset(
    {
        *("billing_name", "address_zip_code", "address_street"),
        *("address_state", "address_city", "address_district"),
    }
)


class CompanyChangedMeanwhile(DomainError):
    """A field to be changed no longer has the value that the caller saw."""

    status = 409
    code = "ERR_COMPANY_CHANGED"

    def __init__(self, company: Company) -> None:
        super().__init__(
            "Um pagamento ou outra pessoa mudou esta empresa enquanto a página estava aberta: ela "
            f"tem agora o plano {company.plan.name} e vence em {company.due_date:%d/%m/%Y}. "
            "Nada foi salvo. Confira e tente de novo."
        )


def trial_end() -> date:
    """Return a new company's first due date: TRIAL_DAYS from today, in the default time zone."""
    zone = ZoneInfo(SETTINGS["timeZone"][0])
    return timezone.localdate(timezone=zone) + timedelta(days=settings.TRIAL_DAYS)


def _check_plan(plan_id: int) -> None:
    try:
        Company._meta.get_field("plan").clean(plan_id, None)
    except ValidationError as error:
        sentence = "Este plano não existe."
        raise InvalidInput(
            sentence, fields={"planId": [sentence]}, rule="does_not_exist"
        ) from error


def add_company(
    *, fields: Mapping[str, Any], actor: AbstractBaseUser | None, ip_address: str | None = None
) -> Company:
    """Create a company, and with a `password` its first admin, who has the company's e-mail.

    The due date is `trial_end` by default. Raises InvalidInput for a plan that does not exist,
    CompanyNameTaken, and the errors of creating the first admin.
    """
    values = dict(fields)
    password = values.pop("password", "")
    campaigns = values.pop("campaigns_enabled", None)
    values["due_date"] = values.get("due_date") or trial_end()
    _check_plan(values["plan_id"])
    with transaction.atomic():
        company = Company(**values)
        save_company(company=company, actor=actor, changed=list(values), ip_address=ip_address)
        if campaigns is not None:
            change_setting(company_id=company.pk, key=CAMPAIGNS, value=campaigns)
        if password:
            first_admin(company, password)
        due_date_set(company)
    return company


def change_company(
    *,
    company_id: int,
    changes: Mapping[str, Any],
    actor: Any,
    seen: Mapping[str, Any] | None = None,
    ip_address: str | None = None,
) -> Company:
    """Change the fields that differ from the stored company; a due date of None changes nothing.

    An admin may change only the billing fields of their own company; other fields may be sent
    unchanged. `seen` holds the values that a page showed: if a field to be changed has another
    value now, nothing is saved. Raises CompanyNotFound, NoPermission, SuperCompanyDueDateFixed,
    CompanyNameTaken, CompanyChangedMeanwhile, and InvalidInput for a plan that does not exist or
    for switching off company 1.
    """
    values = dict(changes)
    campaigns = values.pop("campaigns_enabled", None)
    if values.get("due_date", ...) is None:
        del values["due_date"]
    with transaction.atomic():
        reach = Company.objects.select_for_update(no_key=True).filter(deleted_at=None)
        if not actor.is_super:
            reach = reach.filter(pk=actor.company_id)
        company = reach.filter(pk=company_id).first()
        if company is None:
            raise CompanyNotFound
        changed = [name for name, value in values.items() if getattr(company, name) != value]
        if campaigns is not None and campaigns == setting_of(company.pk, CAMPAIGNS):
            campaigns = None
        if not actor.is_super and (campaigns is not None or set(changed) - BILLING_FIELDS):
            raise NoPermission
        if seen and any(getattr(company, name) != seen[name] for name in seen.keys() & changed):
            raise CompanyChangedMeanwhile(company)
        _judge(company, changed, values)
        for name in changed:
            setattr(company, name, values[name])
        if changed:
            save_company(company=company, actor=actor, changed=changed, ip_address=ip_address)
        if {"plan_id", "recurrence"} & set(changed):
            terms_changed(company, actor, ip_address)
        if "due_date" in changed:
            due_date_set(company)
        if campaigns is not None:
            change_setting(company_id=company.pk, key=CAMPAIGNS, value=campaigns)
    return company


def extend_company(
    *,
    company_id: int,
    months: int | None,
    actor: AbstractBaseUser,
    ip_address: str | None = None,
) -> Company:
    """Extend a company's due date by `months`, or by its recurrence, and audit it.

    A past date is extended from today. Raises CompanyNotFound, and SuperCompanyDueDateFixed for
    company 1.
    """
    with transaction.atomic():
        if not Company.objects.filter(pk=company_id, deleted_at=None).exists():
            raise CompanyNotFound
        company = extend_due_date(company_id=company_id, months=months)
        if company.is_super:
            raise SuperCompanyDueDateFixed
        due_date_set(company)
        record(
            action="company.changed",
            actor=actor,
            company_id=company_id,
            target=company,
            detail={"fields": ["due_date"], "dueDate": company.due_date.isoformat()},
            ip_address=ip_address,
        )
    return company


def _judge(company: Company, changed: list[str], values: Mapping[str, Any]) -> None:
    if "plan_id" in changed:
        _check_plan(values["plan_id"])
    if company.is_super and "due_date" in changed:
        raise SuperCompanyDueDateFixed
    if company.is_super and "is_enabled" in changed:
        sentence = "A empresa principal não pode ser desativada."
        raise InvalidInput(sentence, fields={"status": [sentence]}, rule="fixed")
