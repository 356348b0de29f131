"""Rules of companies (rules/companies §1 and §4)."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management.color import no_style
from django.db import IntegrityError, transaction
from django.db import connection as database
from django.utils import timezone

from apps.audit.services import record
from apps.common.errors import DomainError, NotFound
from apps.common.hours import keep_periods
from apps.common.registry import Hook
from apps.companies import events
from apps.companies.models import SUPER_COMPANY_ID, Company, Recurrence
from apps.companies.queries import overdue_among, zone_of

NEVER = date(2999, 12, 31)
# Called with the company, in the transaction that stores its hours or those of one of its queues.
hours_changed: Hook[[int]] = Hook()


class CompanyNotFound(NotFound):
    """There is no such company, or it is not the caller's."""

    code = "ERR_NO_COMPANY_FOUND"
    message = "Empresa não encontrada."


class CompanyNameTaken(DomainError):
    code = "ERR_COMPANY_NAME_EXISTS"
    message = "Já existe uma empresa com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class SuperCompanyDueDateFixed(DomainError):
    """The company that runs the service never expires."""

    status = 403
    code = "ERR_CANNOT_UPDATE_SUPER_COMPANY_DUE_DATE"
    message = "A data de vencimento da empresa principal não pode ser alterada."


class CompanyExpired(DomainError):
    """The company's due date has passed (rules/companies §4); the response contains the date."""

    status = 402
    code = "ERR_COMPANY_EXPIRED"

    def __init__(self, due_date: date) -> None:
        super().__init__(
            f"Opss! Sua assinatura venceu {due_date:%d/%m/%Y}. Entre em contato com o Suporte "
            "para mais informações!",
            extra={"dueDate": due_date},
        )


class CompanyDisabled(DomainError):
    """The operator switched the company off. The status is 401, since login never answers 403."""

    status = 401
    code = "ERR_COMPANY_DISABLED"
    message = "A sua empresa está desativada. Entre em contato com o Suporte."


def get_company(*, own_id: int, company_id: int, sees_all: bool = False) -> Company:
    """Return the caller's own company; raises CompanyNotFound for another.

    `sees_all` is for the super user, who may change every company (rules/accounts §3).
    """
    reach = Company.objects.all() if sees_all else Company.objects.filter(pk=own_id)
    company = reach.filter(pk=company_id, deleted_at=None).first()
    if company is None:
        raise CompanyNotFound
    return company


def ensure_super_company(*, plan_id: int, name: str = "Balcão") -> Company:
    """Return company 1; create it with this plan and name if it is missing."""
    with transaction.atomic():
        company, is_new = Company.objects.get_or_create(
            pk=SUPER_COMPANY_ID, defaults={"name": name, "plan_id": plan_id, "due_date": NEVER}
        )
        if is_new:
            # An explicit id does not advance PostgreSQL's sequence.
            with database.cursor() as cursor:
                for statement in database.ops.sequence_reset_sql(no_style(), [Company]):
                    cursor.execute(statement)
    return company


def create_company(
    *,
    name: str,
    plan_id: int,
    due_date: date,
    email: str = "",
    phone: str = "",
    trial_expires_on: date | None = None,
    **fields: Any,
) -> Company:
    """Create a company; `fields` are further columns. Raises CompanyNameTaken.

    `accounts.services.open_company` also creates its first admin.
    """
    company = Company(
        name=name,
        plan_id=plan_id,
        due_date=due_date,
        email=email,
        phone=phone,
        trial_expires_on=trial_expires_on,
        **fields,
    )
    _save(company)
    return company


def _save(company: Company) -> None:
    """Save the company; raises CompanyNameTaken on the database's uniqueness error."""
    try:
        with transaction.atomic():
            company.save()
    except IntegrityError as error:
        if Company.objects.filter(name=company.name).exclude(pk=company.pk).exists():
            raise CompanyNameTaken from error
        raise


def save_company(
    *,
    company: Company,
    actor: AbstractBaseUser | None,
    changed: Sequence[str],
    ip_address: str | None = None,
) -> None:
    """Save a new or changed company, audit it, and recheck its sockets. Raises CompanyNameTaken."""
    is_new = company.pk is None
    with transaction.atomic():
        _save(company)
        record(
            action="company.created" if is_new else "company.changed",
            actor=actor,
            company_id=company.pk,
            target=company,
            detail={
                "fields": list(changed),
                **({"dueDate": company.due_date.isoformat()} if "due_date" in changed else {}),
            },
            ip_address=ip_address,
        )
        if not is_new:
            events.company_changed(company.pk)


def months_later(day: date, months: int) -> date:
    """Return the same day of the month `months` later, or that month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def extend_due_date(*, company_id: int, months: int | None = None) -> Company:
    """Extend a due date by the company's recurrence, or by `months`, in the caller's transaction.

    A past date is extended from today, in the company's time zone (rules/companies §4). Company 1
    does not change. Returns the stored company, and rechecks its sockets.
    """
    # The lock makes two parallel extensions add up.
    company = Company.objects.select_for_update(no_key=True).get(pk=company_id)
    if not company.is_super:
        today = timezone.now().astimezone(zone_of(company_id)).date()
        months = months or Recurrence(company.recurrence).months
        company.due_date = months_later(max(today, company.due_date), months)
        company.save(update_fields=["due_date", "updated_at"])
        events.company_changed(company_id)
    return company


def shorten_due_date(*, company_id: int, days: int) -> Company:
    """Take `days` from a due date, in the caller's transaction, but never below today.

    Today is that of the company's time zone. A past date and company 1 do not change. Returns the
    stored company, and rechecks its sockets.
    """
    company = Company.objects.select_for_update(no_key=True).get(pk=company_id)
    if not company.is_super:
        least = min(timezone.now().astimezone(zone_of(company_id)).date(), company.due_date)
        company.due_date = max(least, company.due_date - timedelta(days=days))
        company.save(update_fields=["due_date", "updated_at"])
        events.company_changed(company_id)
    return company


def end_overdue() -> int:
    """Recheck the sockets of recently overdue companies; returns the number of companies.

    Requests and sends check the due date themselves; an open socket keeps receiving events until it
    is rechecked.
    """
    moment = timezone.now()
    since = (moment - timedelta(days=2)).date()
    fresh = Company.objects.filter(due_date__range=(since, moment.date()), is_enabled=True)
    overdue = overdue_among(fresh, moment)
    for company_id in overdue:
        events.company_changed(company_id)
    return len(overdue)


def change_schedules(*, company: Company, schedules: list[dict[str, Any]]) -> None:
    """Replace a company's hours; further periods of a day stay where they are not named."""
    with transaction.atomic():
        company.schedules = keep_periods(company.schedules, schedules)
        company.save(update_fields=["schedules", "updated_at"])
        hours_changed(company.pk)
