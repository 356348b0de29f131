"""The wire shapes of imports of contact files."""

from typing import Any

from rest_framework import serializers

from apps.common.leases import LeaseState
from apps.common.serializers import RowSerializer
from apps.common.sheets import MAX_ROWS
from apps.contacts.models import ContactImport
from apps.contacts.serializers.sheets import (
    SheetFormSerializer,
    SheetPreviewRowSerializer,
    SheetPreviewSerializer,
    column_field,
)

CANCELED = "ERR_IMPORT_CANCELED"
IMPORT_STATES = ("waiting", "running", "done", "failed", "canceled")


class ContactFileSerializer(SheetFormSerializer):
    """A form with a file of contacts: .csv, .xls or .xlsx.

    Columns count from 0. Without `sheet` and `headerRow` all columns are guessed; with them, the
    other titled columns become extra info.
    """

    usernameColumn = column_field()
    userIdColumn = column_field()


class ContactPreviewLineSerializer(RowSerializer):
    """The title of a column and the row's text in it, as the contact would keep both."""

    name = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class ContactPreviewRowSerializer(SheetPreviewRowSerializer):
    """The contact that a row would leave, `number` as people write it.

    With `isDuplicate` the contact is there already, or made by a row further up, and is completed.
    A faulty row has the file's own texts and an `errorCode`.
    """

    username = serializers.CharField()
    userId = serializers.CharField(source="user_id")
    extraInfo = ContactPreviewLineSerializer(source="extra", many=True)


class ContactFilePreviewSerializer(SheetPreviewSerializer):
    """The first rows of a file, and the columns that they were read by.

    `columns` are the titles of all columns, '' for one without.
    """

    usernameColumn = serializers.IntegerField(source="layout.username", allow_null=True)
    userIdColumn = serializers.IntegerField(source="layout.user_id", allow_null=True)
    rows = ContactPreviewRowSerializer(many=True)


class ContactImportUserSerializer(RowSerializer):
    """The user who started an import."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ContactImportSerializer(RowSerializer):
    """An import of a file of contacts: its progress, or its result.

    `rowsCount` is null until the rows are counted. `existingCount` counts the rows of existing
    contacts, `filledCount` those of them that added missing data. A `failed` import stored nothing,
    except after an internal error. What a `canceled` one had stored stays.
    """

    id = serializers.IntegerField()
    status = serializers.ChoiceField(IMPORT_STATES)
    fileName = serializers.CharField(source="media_name")
    rowsCount = serializers.IntegerField(source="rows_count", allow_null=True, max_value=MAX_ROWS)
    rowsRead = serializers.IntegerField(source="rows_read")
    createdCount = serializers.IntegerField(source="created_count")
    existingCount = serializers.IntegerField(source="existing_count")
    filledCount = serializers.IntegerField(source="filled_count")
    failedCount = serializers.IntegerField(source="failed_count")
    errorCode = serializers.CharField(allow_null=True)
    user = ContactImportUserSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)

    def _read_status(self, done: ContactImport) -> str:
        if done.state == LeaseState.FAILED:
            return "canceled" if done.error_code == CANCELED else "failed"
        if done.state == LeaseState.DONE:
            return "done"
        return "waiting" if done.rows_count is None else "running"

    def _read_errorCode(self, done: ContactImport) -> str | None:
        return done.error_code or None


class CurrentContactImportSerializer(serializers.Serializer[Any]):
    """The company's newest import, null if there is none."""

    def get_fields(self) -> dict[str, Any]:
        """Return the field, whose name is a keyword of Python."""
        return {"import": ContactImportSerializer(allow_null=True)}
