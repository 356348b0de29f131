"""The wire shapes of files of people: where they have their columns, and their first rows."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer, file_field
from apps.common.sheet_parsing import COLUMNS, LAST_ROW, MAX_SHEETS
from apps.contacts.sheet_layouts import SheetLayout


def column_field() -> serializers.IntegerField:
    """Return the field of a form that names a column, from 0."""
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=COLUMNS - 1
    )


class SheetFormSerializer(serializers.Serializer[Any]):
    file = file_field()
    sheet = serializers.IntegerField(required=False, min_value=0, max_value=MAX_SHEETS - 1)
    headerRow = serializers.IntegerField(required=False, min_value=0, max_value=LAST_ROW)
    nameColumn = column_field()
    numberColumn = column_field()
    emailColumn = column_field()


def layout_of(form: Mapping[str, Any]) -> SheetLayout | None:
    """Return the layout that a form names, None to guess it."""
    if "sheet" not in form or "headerRow" not in form:
        return None
    return SheetLayout(
        sheet=form["sheet"],
        header=form["headerRow"],
        name=form.get("nameColumn"),
        number=form.get("numberColumn"),
        email=form.get("emailColumn"),
        username=form.get("usernameColumn"),
        user_id=form.get("userIdColumn"),
    )


class SheetPreviewRowSerializer(RowSerializer):
    row = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    errorCode = serializers.CharField(source="code", allow_blank=True)
    isDuplicate = serializers.BooleanField(source="is_duplicate")


class SheetPreviewSerializer(RowSerializer):
    sheet = serializers.IntegerField(source="layout.sheet")
    headerRow = serializers.IntegerField(source="layout.header")
    nameColumn = serializers.IntegerField(source="layout.name", allow_null=True)
    numberColumn = serializers.IntegerField(source="layout.number", allow_null=True)
    emailColumn = serializers.IntegerField(source="layout.email", allow_null=True)
    columns = serializers.ListField(child=serializers.CharField(allow_blank=True))
