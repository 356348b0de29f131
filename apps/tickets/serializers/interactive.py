"""The wire of a person's interactive messages (rules/messages §11).

The limits are Meta's: developers.facebook.com/documentation/business-messaging/whatsapp/messages
(interactive-reply-buttons, interactive-list, interactive-cta-url, location-request) and
…/whatsapp/catalogs (catalog-messages, single- and multi-product messages).
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from apps.common.serializers import BoundedListField, StrictSerializer

MAX_BODY, MAX_LIST_BODY = 1024, 4096
MAX_LINE = 60
MAX_BUTTON, MAX_BUTTONS = 20, 3
MAX_ROW_TITLE, MAX_ROW_DESCRIPTION, MAX_ROWS = 24, 72, 10
MAX_SECTION_TITLE, MAX_SECTIONS = 24, 10
MAX_PRODUCTS, MAX_PRODUCT_ID = 30, 100
MAX_URL = 2000

WRITE = "Preencha este campo."
REPEATED_TITLE = "Este título se repete. Dê um título próprio a cada opção."
REPEATED_PRODUCT = "Este produto já está na mensagem."
TITLED_SECTIONS = "Com mais de uma seção, cada uma precisa de um título."


def _text(limit: int, *, required: bool = True, **options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=limit,
        required=required,
        allow_blank=not required,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), WRITE),
            "max_length": f"Use no máximo {limit} caracteres.",
        },
        **options,
    )


def _one_line(text: str) -> None:
    if "\n" in text or "\r" in text:
        raise serializers.ValidationError("Escreva em uma linha só.", "invalid")


def _line(limit: int, *, required: bool = True) -> serializers.CharField:
    return _text(limit, required=required, validators=[_one_line])


def _web_address(text: str) -> None:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or any(map(str.isspace, text)):
        sentence = "Informe um endereço que comece com https:// ou http://."
        raise serializers.ValidationError(sentence, "invalid")


def _items(what: str, most: int, **options: Any) -> BoundedListField:
    least = f"Informe de 1 a {most} {what}."
    return BoundedListField(
        min_length=1,
        max_length=most,
        error_messages=dict.fromkeys(("required", "null", "min_length", "max_length"), least),
        **options,
    )


def _refuse_repeated(titles: Iterable[tuple[Any, str]], sentence: str, field: str) -> None:
    """Raise a fault at the place of the first text that stands twice."""
    seen: set[str] = set()
    for path, title in titles:
        if title.casefold() in seen:
            fault: Any = {field: [sentence]} if field else [sentence]
            for place in reversed(path):
                fault = {place: fault}
            raise serializers.ValidationError(fault, "repeated")
        seen.add(title.casefold())


class MenuSerializer(StrictSerializer):
    """A kind of interactive message; `kind` alone says which."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu, with `choices` as a list of theirs."""
        return {key: value for key, value in attrs.items() if value}


class MenuButtonSerializer(StrictSerializer):
    """A reply button; the server makes its id."""

    title = _line(MAX_BUTTON)


class ButtonsMessageSerializer(MenuSerializer):
    """Up to three reply buttons."""

    kind = serializers.ChoiceField(choices=["buttons"])
    header = _line(MAX_LINE, required=False)
    body = _text(MAX_BODY)
    footer = _line(MAX_LINE, required=False)
    buttons = _items("botões", MAX_BUTTONS, child=MenuButtonSerializer())

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu; raises ValidationError for two equal titles."""
        choices = attrs.pop("buttons")
        titles = ((("buttons", at), each["title"]) for at, each in enumerate(choices))
        _refuse_repeated(titles, REPEATED_TITLE, "title")
        return {**super().validate(attrs), "choices": choices}


class MenuRowSerializer(StrictSerializer):
    """A row of a list; the server makes its id."""

    title = _line(MAX_ROW_TITLE)
    description = _line(MAX_ROW_DESCRIPTION, required=False)


class MenuSectionSerializer(StrictSerializer):
    """Rows of a list under a title, which may be missing if there is one section."""

    title = _line(MAX_SECTION_TITLE, required=False)
    rows = _items("linhas", MAX_ROWS, child=MenuRowSerializer())


class ListMessageSerializer(MenuSerializer):
    """A list of up to ten rows in sections, which `button` opens."""

    kind = serializers.ChoiceField(choices=["list"])
    header = _line(MAX_LINE, required=False)
    body = _text(MAX_LIST_BODY)
    footer = _line(MAX_LINE, required=False)
    button = _line(MAX_BUTTON)
    sections = _items("seções", MAX_SECTIONS, child=MenuSectionSerializer())

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu; raises ValidationError for too many rows and two equal
        titles.
        """
        sections = attrs.pop("sections")
        _check_sections(sections)
        rows = [
            (("sections", at, "rows", place), row, section.get("title", ""))
            for at, section in enumerate(sections)
            for place, row in enumerate(section["rows"])
        ]
        if len(rows) > MAX_ROWS:
            sentence = f"Uma lista leva até {MAX_ROWS} linhas ao todo."
            raise serializers.ValidationError({"sections": [sentence]}, "max_length")
        _refuse_repeated(((path, row["title"]) for path, row, _ in rows), REPEATED_TITLE, "title")
        choices = [{**row, "section": title} for _, row, title in rows]
        return {**super().validate(attrs), "as_list": True, "choices": choices}


def _check_sections(sections: list[dict[str, Any]]) -> None:
    titles = [section.get("title", "") for section in sections]
    if len(titles) > 1 and not all(titles):
        place = titles.index("")
        fault: Any = {"sections": {place: {"title": [TITLED_SECTIONS]}}}
        raise serializers.ValidationError(fault, "required")
    _refuse_repeated(
        ((("sections", at), title) for at, title in enumerate(titles)), REPEATED_TITLE, "title"
    )


class LinkMessageSerializer(MenuSerializer):
    """A button that opens a web address."""

    kind = serializers.ChoiceField(choices=["link"])
    header = _line(MAX_LINE, required=False)
    body = _text(MAX_BODY)
    footer = _line(MAX_LINE, required=False)
    button = _line(MAX_BUTTON)
    url = _text(MAX_URL, validators=[_web_address])


class LocationRequestSerializer(MenuSerializer):
    """A button by which the contact sends a location."""

    kind = serializers.ChoiceField(choices=["location_request"])
    body = _text(MAX_BODY)


class ContactRequestSerializer(MenuSerializer):
    """A button by which the contact shares the own number."""

    kind = serializers.ChoiceField(choices=["contact_request"])
    body = _text(MAX_BODY)


class ProductMessageSerializer(MenuSerializer):
    """A product of the account's catalogue, by its retailer id."""

    kind = serializers.ChoiceField(choices=["product"])
    body = _text(MAX_BODY, required=False)
    footer = _line(MAX_LINE, required=False)
    productId = _line(MAX_PRODUCT_ID)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu, whose choice has the product's id alone."""
        choices = [{"id": attrs.pop("productId"), "field": "productId"}]
        return {**super().validate(attrs), "choices": choices}


class ProductSectionSerializer(StrictSerializer):
    """Products under a title, which may be missing if there is one section."""

    title = _line(MAX_SECTION_TITLE, required=False)
    productIds = _items("produtos", MAX_PRODUCTS, child=_line(MAX_PRODUCT_ID))


class ProductListMessageSerializer(MenuSerializer):
    """Up to 30 products of the account's catalogue in sections."""

    kind = serializers.ChoiceField(choices=["product_list"])
    header = _line(MAX_LINE)
    body = _text(MAX_BODY)
    footer = _line(MAX_LINE, required=False)
    sections = _items("seções", MAX_SECTIONS, child=ProductSectionSerializer())

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu, whose choices have the products' ids alone.

        Raises ValidationError for too many products and for one that stands twice.
        """
        sections = attrs.pop("sections")
        _check_sections(sections)
        found = [
            (("sections", at, "productIds", place), product, section.get("title", ""))
            for at, section in enumerate(sections)
            for place, product in enumerate(section["productIds"])
        ]
        if len(found) > MAX_PRODUCTS:
            sentence = f"Uma mensagem leva até {MAX_PRODUCTS} produtos."
            raise serializers.ValidationError({"sections": [sentence]}, "max_length")
        _refuse_repeated(((path, each) for path, each, _ in found), REPEATED_PRODUCT, "")
        choices = [
            {"id": each, "section": title, "field": ".".join(map(str, path))}
            for path, each, title in found
        ]
        return {**super().validate(attrs), "choices": choices}


class CatalogMessageSerializer(MenuSerializer):
    """The whole catalogue of the account; `productId` is the product whose picture is shown."""

    kind = serializers.ChoiceField(choices=["catalog"])
    body = _text(MAX_BODY)
    footer = _line(MAX_LINE, required=False)
    productId = _line(MAX_PRODUCT_ID, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a menu, whose choice, if any, has the product's id alone."""
        product = attrs.pop("productId", "")
        choices = [{"id": product, "field": "productId"}] if product else []
        return {**super().validate(attrs), "choices": choices}


KINDS: dict[str, type[MenuSerializer]] = {
    "buttons": ButtonsMessageSerializer,
    "list": ListMessageSerializer,
    "link": LinkMessageSerializer,
    "location_request": LocationRequestSerializer,
    "contact_request": ContactRequestSerializer,
    "product": ProductMessageSerializer,
    "product_list": ProductListMessageSerializer,
    "catalog": CatalogMessageSerializer,
}


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Interactive",
        serializers=list(KINDS.values()),
        resource_type_field_name=None,
    )
)
class InteractiveField(serializers.Field[Any, Any, Any, Any]):
    """An interactive message of one kind; its value has the fields of `Menu`.

    In `choices`, ids of ours are missing; a product has its retailer id, and in `field` its place
    on the wire.
    """

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise serializers.ValidationError("Informe um objeto.", "invalid")
        kind = data.get("kind")
        serializer = KINDS.get(kind) if isinstance(kind, str) else None
        if serializer is None:
            sentence = f"Informe um destes tipos: {', '.join(KINDS)}."
            raise serializers.ValidationError({"kind": [sentence]}, "invalid_choice")
        menu: dict[str, Any] = serializer().run_validation(data)
        return menu
