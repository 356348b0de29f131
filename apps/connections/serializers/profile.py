"""The profile of an official number on the wire (rules/connections §14)."""

from typing import Any

from django.db import models
from rest_framework import serializers

from apps.common.serializers import BoundedListField, RowSerializer

ABOUT, ADDRESS, DESCRIPTION, EMAIL, SITE = 139, 256, 512, 128, 256
MOST_SITES = 2
LONGEST_HANDLE = 2000
NO_ABOUT = "O recado não pode ficar vazio."


class Vertical(models.TextChoices):
    """Meta's categories of businesses."""

    AUTO = "AUTO"
    BEAUTY = "BEAUTY"
    APPAREL = "APPAREL"
    EDU = "EDU"
    ENTERTAIN = "ENTERTAIN"
    EVENT_PLAN = "EVENT_PLAN"
    FINANCE = "FINANCE"
    GROCERY = "GROCERY"
    GOVT = "GOVT"
    HOTEL = "HOTEL"
    HEALTH = "HEALTH"
    NONPROFIT = "NONPROFIT"
    PROF_SERVICES = "PROF_SERVICES"
    RETAIL = "RETAIL"
    TRAVEL = "TRAVEL"
    RESTAURANT = "RESTAURANT"
    OTHER = "OTHER"


class BusinessProfileSerializer(RowSerializer):
    """The profile of a number at Meta; a field without a value is empty."""

    about = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    vertical = serializers.CharField(allow_blank=True)
    websites = serializers.ListField(child=serializers.CharField())
    pictureUrl = serializers.CharField(source="picture_url", allow_blank=True)


def _too_long(most: int) -> dict[str, Any]:
    return {"max_length": f"Use no máximo {most} caracteres."}


class BusinessProfileWriteSerializer(serializers.Serializer[Any]):
    """The fields of the profile to change; omitted ones do not change. Values are named as at Meta.

    `pictureHandle` is the handle that the upload of a sample returned (`uploadTemplateSample`).
    """

    about = serializers.CharField(
        required=False,
        max_length=ABOUT,
        error_messages={**_too_long(ABOUT), "blank": NO_ABOUT, "null": NO_ABOUT},
    )
    address = serializers.CharField(
        required=False, allow_blank=True, max_length=ADDRESS, error_messages=_too_long(ADDRESS)
    )
    description = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=DESCRIPTION,
        error_messages=_too_long(DESCRIPTION),
    )
    email = serializers.EmailField(
        required=False,
        allow_blank=True,
        max_length=EMAIL,
        error_messages={**_too_long(EMAIL), "invalid": "Informe um e-mail válido."},
    )
    vertical = serializers.ChoiceField(required=False, allow_blank=True, choices=Vertical.choices)
    websites = BoundedListField(
        required=False,
        child=serializers.CharField(max_length=SITE, error_messages=_too_long(SITE)),
        max_length=MOST_SITES,
        error_messages={"max_length": f"Informe no máximo {MOST_SITES} sites."},
    )
    pictureHandle = serializers.CharField(
        source="profile_picture_handle", required=False, max_length=LONGEST_HANDLE
    )

    def validate_websites(self, sites: list[str]) -> list[str]:
        """Refuse an address that does not begin with http:// or https://."""
        for site in sites:
            if not site.lower().startswith(("https://", "http://")):
                sentence = "Informe um endereço completo, que comece com https:// ou http://."
                raise serializers.ValidationError(sentence, "web_address")
        return sites
