"""Meta's prices per message, entered by the operator (rules/campaigns §9)."""

from typing import Any

import phonenumbers
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models

# Stands for every country without a price of its own.
ELSEWHERE = "*"


class MessageCategory(models.TextChoices):
    """Meta's categories of charged messages; a service message is any that is no template."""

    MARKETING = "MARKETING"
    UTILITY = "UTILITY"
    AUTHENTICATION = "AUTHENTICATION"
    SERVICE = "SERVICE"


class MessagePrice(models.Model):
    """The price of one delivered message of a category to a country, from a day on.

    It is valid until a row with a later day. All prices have one currency, because they are summed.
    """

    category = models.CharField(max_length=20, choices=MessageCategory.choices)
    country = models.CharField(
        max_length=3,
        help_text="ISO code (BR), calling code (55), or * for every other country.",
    )
    currency = models.CharField(
        max_length=3,
        validators=[RegexValidator(r"^[A-Z]{3}$", "Three capital letters, such as BRL.")],
    )
    price = models.DecimalField(max_digits=12, decimal_places=6, validators=[MinValueValidator(0)])
    valid_from = models.DateField()

    class Meta:
        db_table = "campaigns_messageprice"  # it was a model of that app
        ordering = ["category", "country", "-valid_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["category", "country", "valid_from"], name="one_price_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.country} from {self.valid_from}"

    def clean_fields(self, exclude: Any = None) -> None:
        """Normalise spaces, case and a leading `+` in the codes before they are validated."""
        self.country = self.country.strip().removeprefix("+").upper()
        self.currency = self.currency.strip().upper()
        super().clean_fields(exclude)
        if not is_country(self.country):
            raise ValidationError({"country": "No such country: an ISO or calling code, or *."})

    def clean(self) -> None:
        others = MessagePrice.objects.exclude(pk=self.pk).exclude(currency=self.currency)
        if other := others.first():
            raise ValidationError(
                {"currency": f"The other prices are in {other.currency}: one currency for all."}
            )


def is_country(code: str) -> bool:
    """Tell whether a code is a known region, a calling code or `*`."""
    if code.isdecimal():
        return int(code) in phonenumbers.COUNTRY_CODE_TO_REGION_CODE
    return code == ELSEWHERE or code in phonenumbers.SUPPORTED_REGIONS
