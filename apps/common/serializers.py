"""Fields and serializers that several apps share, and functions that read bodies and make rows."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import SkipField

from apps.common.media import media_url

MAX_ID = 2**63 - 1


class IdField(serializers.IntegerField):
    """The id of a row: a whole number that fits the database's column."""

    def __init__(self, **options: Any) -> None:
        sentence = "Id inválido."
        options["error_messages"] = {
            **dict.fromkeys(("min_value", "max_value", "max_string_length", "invalid"), sentence),
            **options.get("error_messages", {}),
        }
        super().__init__(min_value=1, max_value=MAX_ID, **options)


class OptionalIdField(IdField):
    """An id or null; older browsers send an empty text or false for none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_null=True, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(None if data == "" or data is False else data)


class BooleanField(serializers.BooleanField):
    """true or false; a form that omits the field does not change it.

    In the rest framework's own field, an omitted field of a form is an unticked checkbox and means
    false. A form that is sent to change something else would switch this field off.
    """

    def get_value(self, dictionary: Any) -> Any:
        if self.field_name not in dictionary:
            return serializers.empty
        return super().get_value(dictionary)


class SwitchField(BooleanField):
    """true or false in a query; an empty text is false."""

    def to_internal_value(self, data: Any) -> bool:
        return False if data == "" else bool(super().to_internal_value(data))


class TextField(serializers.CharField):
    """A text that may be empty; null counts as empty."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("required", False)
        options.setdefault("trim_whitespace", False)
        super().__init__(allow_blank=True, allow_null=True, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation("" if data is None else data)


@extend_schema_field(OpenApiTypes.ANY)
class UnusedField(serializers.Field[Any, Any, Any, Any]):
    """A field of an older form that has no effect here (rules/wire §9).

    Left as the form opens it, it is dropped; anything else is refused with the sentence, because
    the form would say that it was saved. `opened_with` is a text with which the form opens.
    """

    def __init__(self, sentence: str, *, opened_with: str = "") -> None:
        self.opened_with = opened_with
        messages: dict[str, Any] = {"unused": sentence}
        super().__init__(required=False, allow_null=True, write_only=True, error_messages=messages)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty or data in (None, False, "", "false", self.opened_with):
            raise SkipField
        self.fail("unused")


UNKNOWN_FIELD = "Este campo não existe aqui. Confira o nome."


class StrictSerializer(serializers.Serializer[Any]):
    """An object whose unknown fields are refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                faults = {str(name): [UNKNOWN_FIELD] for name in unknown[:20]}
                raise serializers.ValidationError(faults, "invalid")
        return super().to_internal_value(data)


class ZonedDateTimeField(serializers.DateTimeField):
    """A date and time; one without a zone is in the `zone` of the context (rules/wire §1)."""

    def default_timezone(self) -> tzinfo:
        zone: tzinfo = self.context.get("zone", UTC)
        return zone

    def to_internal_value(self, value: Any) -> datetime:
        """Return the time in UTC, as all responses show it."""
        moment = super().to_internal_value(value)
        try:
            return moment.astimezone(UTC)
        except OverflowError:
            self.fail("overflow", timezone="UTC")


class PartSerializer(serializers.Serializer[Any]):
    """A record inside another one, of which a partial change asks for the required fields, too.

    The rest framework requires no field of any serializer below a partial one.
    """

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the values of the fields; raises ValidationError with each missing one."""
        row: dict[str, Any] = super().to_internal_value(data)
        missing: dict[str, Any] = {
            name: [field.error_messages["required"]]
            for name, field in self.fields.items()
            if field.required and field.source not in row
        }
        if missing:
            raise serializers.ValidationError(missing, "required")
        return row


class BoundedListField(serializers.ListField):
    """A list whose length is checked before its elements.

    Every such field sets its own limit. Otherwise each of a million invalid elements would be
    validated and would get an error in the response.
    """

    def __init__(self, *, max_length: int, **options: Any) -> None:
        self.most = max_length
        super().__init__(max_length=max_length, **options)

    def get_value(self, dictionary: Any) -> Any:
        """Return the list as sent; a form repeats the field's name, `name[0]` is not read."""
        if not hasattr(dictionary, "getlist"):
            return super().get_value(dictionary)
        return dictionary.getlist(self.field_name) or serializers.empty

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > self.most:
            message = self.error_messages["max_length"].format(max_length=self.most)
            raise serializers.ValidationError([message], code="max_length")
        return super().to_internal_value(data)


class BoundedListSerializer(serializers.ListSerializer[Any]):
    """A list of records whose length is checked first; a subclass sets the limit `most`."""

    most: int

    def __init__(self, *args: Any, **options: Any) -> None:
        options["max_length"] = self.most
        super().__init__(*args, **options)

    def get_value(self, dictionary: Any) -> Any:
        """Return the list as sent; a form can't contain records."""
        if hasattr(dictionary, "getlist"):
            return serializers.empty
        return dictionary.get(self.field_name, serializers.empty)


class MediaUrlField(serializers.CharField):
    """The absolute signed address of a stored file; null without a file."""

    def get_attribute(self, instance: Any) -> str | None:
        return media_url(super().get_attribute(instance) or "") or None


def name_field(**options: Any) -> serializers.CharField:
    """Return the field of a name: 2 to 50 characters (rules/wire §6)."""
    return serializers.CharField(
        min_length=2,
        max_length=50,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
            "min_length": "O nome precisa ter ao menos 2 caracteres.",
            "max_length": "O nome pode ter no máximo 50 caracteres.",
        },
        **options,
    )


def file_field() -> serializers.FileField:
    """Return the field of a form's file, whose size and content the service checks."""
    sentence = "Anexe um arquivo."
    return serializers.FileField(
        max_length=1000,
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "null", "invalid"), sentence),
    )


# What to do with a stored value of these fields; None: it is on the wire as it is.
_WIRE_FORMS: dict[type[Any], Callable[[Any], Any] | None] = {
    serializers.CharField: str,
    serializers.IntegerField: int,
    serializers.FloatField: float,
    serializers.DateTimeField: None,
}
_Readers = list[tuple[str, Callable[[Any], Any], Callable[[Any], Any] | None]]


class RowSerializer(serializers.Serializer[Any]):
    """A serializer of responses and events: it declares the schema and makes the rows.

    A field's value is its `source`, or what the method `_read_<field>(record)` returns if the class
    has one. Other data that the methods need is in the `context` (`rows_of`).
    """

    # A source is an attribute of a record or a key of a mapping, no method.

    @cached_property
    def _readers(self) -> _Readers:
        return [
            (
                name,
                getattr(self, f"_read_{name}", field.get_attribute),
                _WIRE_FORMS.get(type(field), field.to_representation),
            )
            for name, field in self.fields.items()
        ]

    @cached_property
    def _direct_readers(self) -> _Readers:
        """The readers for records that are no mappings: the rest framework's own steps from the
        source to the value cost more than all else of a row.
        """
        return [
            (name, attrgetter(str(field.source)) if _is_direct(read, field) else read, represent)
            for (name, read, represent), field in zip(
                self._readers, self.fields.values(), strict=True
            )
        ]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        if type(instance) is not dict:
            try:
                return _row(self._direct_readers, instance)
            except AttributeError:  # the field knows what stands for a missing one
                pass
        return _row(self._readers, instance)


def _is_direct(read: Callable[[Any], Any], field: serializers.Field[Any, Any, Any, Any]) -> bool:
    is_own = getattr(read, "__func__", None) is serializers.Field.get_attribute
    return is_own and len(field.source_attrs) == 1


def _row(readers: _Readers, instance: Any) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, read, represent in readers:
        value = read(instance)
        row[name] = value if value is None or represent is None else represent(value)
    return row


def page_of(name: str, row: type[RowSerializer], description: str) -> type[RowSerializer]:
    """Return the serializer of a page that has its rows in the field `name`."""
    fields = {
        name: row(many=True),
        "count": serializers.IntegerField(),
        "hasMore": serializers.BooleanField(),
    }
    title = row.__name__.removesuffix("Serializer")
    return type(f"{title}PageSerializer", (RowSerializer,), {"__doc__": description, **fields})


class SentenceSerializer(serializers.Serializer[Any]):
    """A sentence for the user, for example that a record was deleted."""

    message = serializers.CharField()


def body_values(
    serializer: type[serializers.Serializer[Any]],
    data: Any,
    *,
    partial: bool = False,
    **context: Any,
) -> Any:
    """Return the validated values of a request's body; with `partial` no field is required.

    Raises ValidationError with every invalid field.
    """
    body = serializer(data=data, partial=partial, context=context)
    body.is_valid(raise_exception=True)
    return body.validated_data


@cache
def _ready(serializer: type[RowSerializer]) -> RowSerializer:
    return serializer()


# Serializers that are not in use, with their empty contexts; making one takes longer than a page.
_idle: defaultdict[type[RowSerializer], list[tuple[RowSerializer, dict[str, Any]]]] = defaultdict(
    list
)


def row_of(serializer: type[RowSerializer], record: Any, **context: Any) -> dict[str, Any]:
    """Return a record's row; `context` has the other data that the serializer's methods need."""
    return rows_of(serializer, (record,), **context)[0]


def rows_of(
    serializer: type[RowSerializer], records: Iterable[Any], **context: Any
) -> list[dict[str, Any]]:
    """Return the rows of records, in their order; `context` as in `row_of`."""
    if not context:
        ready = _ready(serializer)
        return [ready.to_representation(record) for record in records]
    try:
        ready, shared = _idle[serializer].pop()
    except IndexError:
        shared = {}
        ready = serializer(context=shared)
    shared.update(context)
    try:
        return [ready.to_representation(record) for record in records]
    finally:
        shared.clear()
        _idle[serializer].append((ready, shared))


@cache
def _fields_of(serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    return dict(serializer().fields)


def query_values(
    serializer: type[serializers.Serializer[Any]], query: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the validated values of a query for a serializer whose fields are all optional.

    For lists that are read often: constructing the serializer takes longer than reading a page. The
    serializer's own `validate` is not called. Raises ValidationError with every invalid field.
    """
    values: dict[str, Any] = {}
    errors: dict[str, Any] = {}
    for name, field in _fields_of(serializer).items():
        given = field.get_value(query) if name in query else serializers.empty
        if given is serializers.empty:
            continue
        try:
            values[field.source] = field.run_validation(given)
        except serializers.ValidationError as error:
            errors[name] = error.detail
    if errors:
        raise serializers.ValidationError(errors)
    return values
