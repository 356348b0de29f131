"""The ledger of delivered messages, and the month's meter of each number (rules/costs §2, §3)."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantQuerySet
from apps.costs.models.prices import MessageCategory, MessagePrice
from apps.tickets.models import MessageSource

MOST_FREE = 1_000_000


class ServiceAllowance(models.Model):
    """How many service messages of a number are free in a month, from a month on.

    It is valid until a row with a later month. Entered by the operator.
    """

    messages = models.PositiveIntegerField()
    valid_from = models.DateField(unique=True, help_text="The first day of a month.")

    class Meta:
        ordering = ["-valid_from"]

    def __str__(self) -> str:
        return f"{self.messages} from {self.valid_from}"

    def clean(self) -> None:
        errors = {}
        if self.valid_from and self.valid_from.day != 1:
            errors["valid_from"] = "An allowance counts by month: give the first day of a month."
        if self.messages is not None and self.messages > MOST_FREE:
            errors["messages"] = f"At most {MOST_FREE:,}."
        if errors:
            raise ValidationError(errors)


class CostMeter(models.Model):
    """A number's month. Whoever writes the ledger's rows of the month locks it.

    The first `allowance` service messages are free, in the order of delivery: all up to the one of
    `free_until_at` and `free_until_id`, or all if there are not so many yet and these are null.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(
        "connections.Connection", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Meta's id of the number, which outlives the connection.
    number = models.CharField(max_length=50)
    month = models.DateField()
    # None: the operator has entered no allowance for the month.
    allowance = models.PositiveIntegerField(null=True)
    free_until_at = models.DateTimeField(null=True)
    free_until_id = models.BigIntegerField(null=True)
    # Prices or allowances may have changed since its rows were priced.
    is_stale = models.BooleanField(default=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "number", "month"], name="one_meter_per_number_and_month"
            )
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(is_stale=True), name="cost_meter_stale"),
        ]

    def __str__(self) -> str:
        return f"{self.number} in {self.month:%Y-%m}"


class Kept(models.ForeignKey[Any, Any]):
    """A reference that stays when its record is deleted: what was paid remains paid.

    The database neither checks it nor looks for it at a deletion, so it needs no index.
    """

    def __init__(self, to: Any, **options: Any) -> None:
        fixed = {"on_delete": models.DO_NOTHING, "db_constraint": False, "related_name": "+"}
        super().__init__(to, **{**fixed, "null": True, "db_index": False, **options})

    def deconstruct(self) -> Any:
        """Be an ordinary reference to migrations, which do not know this class."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.ForeignKey", arguments, options


class MessageCost(models.Model):
    """What one delivered message of an official number costs."""

    # The meter's number, where it was read with the row.
    number: str = ""

    # The message's id: its cost outlives it.
    message_id = models.BigIntegerField(unique=True)
    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    meter = models.ForeignKey(CostMeter, on_delete=models.CASCADE, related_name="+", db_index=False)
    ticket = Kept("tickets.Ticket")
    queue = Kept("queues.Queue")
    user = Kept("accounts.User")
    source = models.CharField(max_length=12, choices=MessageSource.choices)
    # See `apps.tickets.origins`.
    origin = models.CharField(max_length=40, blank=True)
    # ISO code, or calling code of a number without a country; '' if nobody knows.
    country = models.CharField(max_length=3, blank=True)
    # The provider's words; '' while it has reported no price.
    category = models.CharField(max_length=40, blank=True)
    type = models.CharField(max_length=40, blank=True)
    is_billable = models.BooleanField(default=False)
    price = Kept(MessagePrice)
    # None: it is not billable, or there is no price.
    amount = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    currency = models.CharField(max_length=3, blank=True)
    delivered_at = models.DateTimeField()
    # In the company's time zone.
    delivered_on = models.DateField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        db_table = "message_cost"
        indexes = [
            models.Index(fields=["company", "delivered_on"], name="message_cost_by_day"),
            models.Index(
                fields=["meter", "delivered_at", "message_id"],
                condition=Q(category=MessageCategory.SERVICE, is_billable=True),
                name="message_cost_allowance",
            ),
            models.Index(fields=["ticket"], name="message_cost_by_ticket"),
            models.Index(
                fields=["origin"],
                condition=Q(source=MessageSource.CAMPAIGN),
                name="message_cost_by_campaign",
            ),
        ]

    def __str__(self) -> str:
        return f"cost of message {self.message_id}"


# Counts towards the allowance.
COUNTS = Q(category=MessageCategory.SERVICE, is_billable=True)
_UP_TO = (
    Q(meter__free_until_at__isnull=True)
    | Q(delivered_at__lt=F("meter__free_until_at"))
    | Q(delivered_at=F("meter__free_until_at"), message_id__lte=F("meter__free_until_id"))
)
# Is free by the allowance.
IS_FREE = COUNTS & Q(meter__allowance__gt=0) & _UP_TO
