"""Reads of companies and their settings."""

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery
from apps.common.encryption import decrypt
from apps.companies.models import (
    SECRET_SETTINGS,
    SETTINGS,
    SUPER_COMPANY_ID,
    Company,
    CompanySetting,
)

# rules/companies §4: a company that is overdue for longer than this sends no messages.
SENDING_GRACE = timedelta(days=3)


# Compiled, because most calls read a setting.
_SETTINGS = CompiledQuery(
    lambda *, company_id: CompanySetting.objects.for_company(company_id).values_list("key", "value")
)
_SETTING = CompiledQuery(
    lambda *, company_id, key_text: (
        CompanySetting.objects.for_company(company_id).filter(key=key_text).values_list("value")
    )
)


def settings_of(company_id: int) -> dict[str, str]:
    """Return every known setting of a company with its value or default, in one query.

    Secrets are decrypted: mask them before they leave the server.
    """
    return _with_defaults((key, value) for key, value in _SETTINGS.rows(company_id=company_id))


def settings_in(company: Company) -> dict[str, str]:
    """Return what `settings_of` returns, from the company's loaded `settings`."""
    return _with_defaults((each.key, each.value) for each in company.settings.all())


def _with_defaults(stored: Iterable[tuple[str, str]]) -> dict[str, str]:
    values = {key: default for key, (default, _) in SETTINGS.items()}
    for key, value in stored:
        if key in values:
            values[key] = decrypt(value) if key in SECRET_SETTINGS and value else value
    return values


def setting_of(company_id: int, key: str) -> str:
    """Return one setting's value; raises KeyError for a key that does not exist."""
    default, _ = SETTINGS[key]
    rows = _SETTING.rows(company_id=company_id, key_text=key)
    if not rows:
        return default
    ((value,),) = rows
    return decrypt(value) if key in SECRET_SETTINGS and value else value


def setting_by_company(key: str, *, among: Collection[int]) -> dict[int, str]:
    """Return the value of one setting for each of the companies, in one query. Not for secrets."""
    stored = CompanySetting.objects.filter(key=key, company__in=among)
    set_to = dict(stored.values_list("company_id", "value"))
    default, _ = SETTINGS[key]
    return {company: set_to.get(company, default) for company in among}


def companies_with(key: str, value: str, *, among: Collection[int]) -> set[int]:
    """Return the companies, among the given ids, whose setting has this value. Not for secrets."""
    values = setting_by_company(key, among=among)
    return {company for company, present in values.items() if present == value}


def zone_of(company_id: int) -> ZoneInfo:
    """Return the company's time zone (default America/Sao_Paulo, rules/hours §2)."""
    return ZoneInfo(setting_of(company_id, "timeZone"))


def owns(company_id: int, relation: str, ids: Collection[int]) -> bool:
    """Tell whether all rows with these ids belong to the company, in one query.

    `relation` is a related name of Company: queues, connections, integrations or prompts. So rows
    of higher apps can be checked without importing their models.
    """
    rows = getattr(Company(pk=company_id), relation).filter(pk__in=ids)
    return bool(rows.count() == len(set(ids)))


def is_overdue(company: Company, now: datetime | None = None) -> bool:
    """Tell whether a company's due day is over in its time zone; never for company 1
    (rules/companies §4).

    The time zone is only queried on the days around the due date.
    """
    if company.is_super:
        return False
    moment = now or timezone.now()
    if abs((company.due_date - moment.astimezone(UTC).date()).days) > 1:
        return company.due_date < moment.date()
    return company.due_date < moment.astimezone(zone_of(company.pk)).date()


def overdue_among(companies: QuerySet[Company], now: datetime) -> list[int]:
    """Return the ids of the overdue ones among `companies`; one query reads their time zones."""
    return _overdue(companies.exclude(pk=SUPER_COMPANY_ID).values_list("pk", "due_date"), now)


def _overdue(due: Iterable[tuple[int, date]], now: datetime) -> list[int]:
    dates = dict(due)
    if not dates:
        return []
    zones = setting_by_company("timeZone", among=dates)
    days = {zone: now.astimezone(ZoneInfo(zone)).date() for zone in set(zones.values())}
    return [pk for pk, due_date in dates.items() if due_date < days[zones[pk]]]


def companies_that_send(now: datetime) -> QuerySet[Company]:
    """Return the companies that may send messages: enabled, and not overdue beyond
    SENDING_GRACE.
    """
    return sending_companies(*who_sends(now))


# Each claim of deliveries asks.
_DUE = CompiledQuery(
    lambda *, from_date, until_date: (
        Company.objects.filter(due_date__gte=from_date, due_date__lte=until_date)
        .exclude(pk=SUPER_COMPANY_ID)
        .values_list("pk", "due_date")
    )
)


def who_sends(now: datetime) -> tuple[date, tuple[int, ...]]:
    """Return the arguments of `sending_companies` for a moment."""
    moment = now - SENDING_GRACE
    around = (moment - timedelta(days=1)).date()
    # The time zone matters only on the days around the due date.
    due = _DUE.rows(from_date=around, until_date=moment.date())
    return around, tuple(_overdue(due, moment))


def sending_companies(around: date, overdue: Collection[int]) -> QuerySet[Company]:
    """Return the enabled companies that are due on a day or later, without the overdue ones."""
    paid = Q(pk=SUPER_COMPANY_ID) | Q(due_date__gte=around)
    return Company.objects.filter(paid, is_enabled=True).exclude(pk__in=overdue)


def _records() -> QuerySet[Company]:
    rows = Company.objects.filter(deleted_at=None)
    return rows.select_related("plan").prefetch_related("settings")


def companies_for(company_id: int, *, sees_all: bool) -> QuerySet[Company]:
    """Return the companies that a caller may read, ordered by name, with plans and settings."""
    rows = _records().order_by("name", "pk")
    return rows if sees_all else rows.filter(pk=company_id)


def company_record(company_id: int) -> Company:
    """Return a company with its plan and settings; raises Company.DoesNotExist."""
    return _records().get(pk=company_id)
