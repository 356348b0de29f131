"""The wire shapes of files of contacts."""

from typing import Any

from rest_framework import serializers

from apps.common.leases import LeaseState
from apps.common.serializers import RowSerializer
from apps.common.sheets import MAX_ROWS
from apps.contacts.models import ContactImport

CANCELED = "ERR_IMPORT_CANCELED"
IMPORT_STATES = ("waiting", "running", "done", "failed", "canceled")


class ContactFileSerializer(serializers.Serializer[Any]):
    """A file of contacts: .csv, .xls or .xlsx."""

    file = serializers.FileField(
        max_length=1000,
        allow_empty_file=True,
        error_messages={
            "required": "Anexe um arquivo.",
            "null": "Anexe um arquivo.",
            "invalid": "Anexe um arquivo.",
        },
    )


class ContactImportUserSerializer(RowSerializer):
    """Who started an import."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ContactImportSerializer(RowSerializer):
    """A file of contacts on its way in, or what became of it.

    `rowsCount` is null until the file was looked through. Of the `existingCount` who were there,
    `filledCount` got something that was missing. Of a `failed` one nothing was stored, unless it is
    by a fault of ours; of a `canceled` one what it had stored stays.
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
    """The company's newest import, null where there was none."""

    def get_fields(self) -> dict[str, Any]:
        """Return the field, whose name is a word of the language."""
        return {"import": ContactImportSerializer(allow_null=True)}
