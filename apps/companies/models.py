from typing import ClassVar

from django.db import models
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.companies.holidays import NATIONS

SUPER_COMPANY_ID = 1


class Recurrence(models.TextChoices):
    """How often a company pays (rules/companies §1)."""

    MONTHLY = "MENSAL", "Mensal"
    BIMONTHLY = "BIMESTRAL", "Bimestral"
    QUARTERLY = "TRIMESTRAL", "Trimestral"
    HALF_YEARLY = "SEMESTRAL", "Semestral"
    YEARLY = "ANUAL", "Anual"

    @property
    def months(self) -> int:
        """Return the number of months that one payment covers."""
        return {"MENSAL": 1, "BIMESTRAL": 2, "TRIMESTRAL": 3, "SEMESTRAL": 6, "ANUAL": 12}[self]


def default_schedules() -> list[dict[str, str]]:
    """Return the default working hours (rules/hours §2)."""
    days = [
        ("Segunda-feira", "monday", "08:00", "18:00"),
        ("Terça-feira", "tuesday", "08:00", "18:00"),
        ("Quarta-feira", "wednesday", "08:00", "18:00"),
        ("Quinta-feira", "thursday", "08:00", "18:00"),
        ("Sexta-feira", "friday", "08:00", "18:00"),
        ("Sábado", "saturday", "08:00", "12:00"),
        ("Domingo", "sunday", "00:00", "00:00"),
        ("Horário de almoço", "lunchTime", "", ""),
    ]
    return [
        {"weekday": day, "weekdayEn": english, "startTime": start, "endTime": end}
        for day, english, start, end in days
    ]


class Company(TimestampedModel):
    """A tenant. Company 1 runs the service and never expires (rules/companies §1)."""

    name = models.CharField(max_length=100, unique=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=50, blank=True)
    plan = models.ForeignKey("billing.Plan", on_delete=models.PROTECT, related_name="companies")
    is_enabled = models.BooleanField(default=True)
    due_date = models.DateField()
    trial_expires_on = models.DateField(null=True, blank=True)
    recurrence = models.CharField(
        max_length=10, choices=Recurrence.choices, default=Recurrence.MONTHLY
    )
    schedules = models.JSONField(default=default_schedules)
    billing_name = models.CharField(max_length=200, blank=True)
    address_zip_code = models.CharField(max_length=20, blank=True)
    address_street = models.CharField(max_length=200, blank=True)
    address_state = models.CharField(max_length=50, blank=True)
    address_city = models.CharField(max_length=100, blank=True)
    address_district = models.CharField(max_length=100, blank=True)
    # When the company was deleted: it is hidden, and a worker deletes its rows and files.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name_plural = "companies"

    def __str__(self) -> str:
        return self.name

    @property
    def is_super(self) -> bool:
        """Tell whether this is the company that runs the service."""
        return self.pk == SUPER_COMPANY_ID


# rules/companies §2: the known keys, their defaults and the values they accept (None: any text).
SWITCH = ("enabled", "disabled")
SETTINGS: dict[str, tuple[str, tuple[str, ...] | None]] = {
    "userRating": ("disabled", SWITCH),
    "sendGreetingAccepted": ("disabled", SWITCH),
    "sendMsgTransfTicket": ("disabled", SWITCH),
    "allowToSpyMessage": ("disabled", SWITCH),
    "closePending": ("disabled", SWITCH),
    "alertReceivingAudio": ("disabled", SWITCH),
    "call": ("enabled", SWITCH),
    "CheckMsgIsGroup": ("enabled", SWITCH),
    "importHistory": ("disabled", SWITCH),
    "scheduleType": ("disabled", ("disabled", "queue", "company")),
    "chatBotType": ("text", ("text", "button", "list")),
    "asaas": ("", None),
    "campaignsEnabled": ("true", ("true", "false", "enabled", "disabled")),
    "timeZone": ("America/Sao_Paulo", None),
    "country": ("BR", None),
    "reopenWindowMinutes": ("120", None),
    "ratingEveryDays": ("0", None),
    "ratingTemplate": ("", None),
    "optOutWords": ("SAIR, PARAR, STOP", None),
    "campaignSendingHours": ("", None),
    "waitingListOrder": ("longest_waiting", ("longest_waiting", "updated")),
    "assignment": ("disabled", SWITCH),
    "closingReasons": ("", None),
    "closingFields": ("", None),
    "sla": ("disabled", SWITCH),
    "rules": ("disabled", SWITCH),
    "macros": ("disabled", SWITCH),
    "nationalHolidays": ("", ("", *NATIONS)),
    "ownHolidays": ("", None),
}
SECRET_SETTINGS = frozenset({"asaas"})


class CompanySetting(TimestampedModel):
    """A stored setting of a company; a missing row means the default.

    Read it through `companies.queries`.
    """

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="settings")
    key = models.CharField(max_length=50)
    value = models.TextField(blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["company", "key"], name="one_value_per_setting")
        ]
        # For which companies have something on, which every process asks again and again.
        indexes = [models.Index(fields=["key", "company"], name="setting_by_key")]

    def __str__(self) -> str:
        return f"{self.key} of company {self.company_id}"


class CompanyRemoval(LeasedRow):
    """The job that deletes a company's rows and files; it is deleted with the company."""

    wakes: ClassVar[str] = "companies.remove"

    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="removal")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[LeasedQuerySet["CompanyRemoval"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="removal_due")
        ]

    def __str__(self) -> str:
        return f"removal of company {self.company_id}"


class Retention(TimestampedModel):
    """For how long a company's data are kept (rules/companies §9); None of a kind is for ever.

    The row without a company is the super user's: it is for all companies without one of their own.
    """

    company = models.OneToOneField(
        Company, null=True, blank=True, on_delete=models.CASCADE, related_name="retention"
    )
    messages_years = models.PositiveSmallIntegerField(null=True, blank=True)
    media_months = models.PositiveSmallIntegerField(null=True, blank=True)
    logs_days = models.PositiveSmallIntegerField(null=True, blank=True)
    # The super user's values hold in place of these, but not before `applies_at`.
    is_default = models.BooleanField(default=False)
    # Nothing goes by it before: people see what will go, and may change their mind.
    applies_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Coalesce("company", 0),
                condition=models.Q(company=None),
                name="one_retention_of_all",
            )
        ]

    def __str__(self) -> str:
        return f"retention of company {self.company_id}" if self.company_id else "retention of all"


class RetentionRun(LeasedRow):
    """The job that deletes what a company no longer keeps, and what it has freed so far."""

    wakes: ClassVar[str] = "companies.retain"

    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="retention_runs")
    created_at = models.DateTimeField(auto_now_add=True)
    # By kind: the moment before which all goes, as an ISO text.
    limits = models.JSONField(default=dict)
    # By kind: the rows that were changed or deleted.
    rows = models.JSONField(default=dict)
    bytes_freed = models.PositiveBigIntegerField(default=0)
    # Files whose rows are gone, and which are not deleted yet.
    paths = models.JSONField(default=list)

    objects: ClassVar[LeasedQuerySet["RetentionRun"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company"], condition=UNFINISHED, name="one_retention_run_at_a_time"
            )
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="retention_run_due"
            )
        ]

    def __str__(self) -> str:
        return f"retention run {self.pk} of company {self.company_id}"
