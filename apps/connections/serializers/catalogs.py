"""The products of an account on the wire."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer

MAX_SEARCH = 100


class ProductQuerySerializer(serializers.Serializer[Any]):
    """Which products to list: those whose name holds the text."""

    searchParam = serializers.CharField(
        source="search", required=False, allow_blank=True, max_length=MAX_SEARCH
    )


class ProductCatalogSerializer(RowSerializer):
    """The catalogue that is connected to the account."""

    id = serializers.CharField()
    name = serializers.CharField(allow_blank=True)


class ProductSerializer(RowSerializer):
    """A product; `id` is the seller's own (Meta's `retailer_id`)."""

    id = serializers.CharField()
    name = serializers.CharField()
    price = serializers.CharField(
        allow_blank=True, help_text="The price in Meta's words, with its currency, or ''."
    )
    imageUrl = serializers.CharField(source="image_url", allow_blank=True)
    available = serializers.BooleanField(source="is_available")


class ProductListSerializer(serializers.Serializer[Any]):
    """The first 50 products that a search finds, and their catalogue: null without one."""

    catalog = ProductCatalogSerializer(allow_null=True)
    products = ProductSerializer(many=True)
    hasMore = serializers.BooleanField()
