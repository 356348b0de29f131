"""The wire shapes of files of contacts."""

from typing import Any

from rest_framework import serializers

from apps.common.leases import LeaseState
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


class ContactImportUserSerializer(serializers.Serializer[Any]):
    """Who started an import."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ContactImportSerializer(serializers.Serializer[Any]):
    """A file of contacts on its way in, or what became of it.

    `rowsCount` is null until the file was looked through. Of the `existingCount` who were there,
    `filledCount` got something that was missing. Of a `failed` one nothing was stored, unless it is
    by a fault of ours; of a `canceled` one what it had stored stays.
    """

    id = serializers.IntegerField()
    status = serializers.ChoiceField(IMPORT_STATES)
    fileName = serializers.CharField()
    rowsCount = serializers.IntegerField(allow_null=True, max_value=MAX_ROWS)
    rowsRead = serializers.IntegerField()
    createdCount = serializers.IntegerField()
    existingCount = serializers.IntegerField()
    filledCount = serializers.IntegerField()
    failedCount = serializers.IntegerField()
    errorCode = serializers.CharField(allow_null=True)
    user = ContactImportUserSerializer(allow_null=True)
    createdAt = serializers.DateTimeField()
    finishedAt = serializers.DateTimeField(allow_null=True)


class CurrentContactImportSerializer(serializers.Serializer[Any]):
    """The company's newest import, null where there was none."""

    def get_fields(self) -> dict[str, Any]:
        """Return the field, whose name is a word of the language."""
        return {"import": ContactImportSerializer(allow_null=True)}


def contact_import_row(done: ContactImport) -> dict[str, Any]:
    """Return an import, its user at hand, in the shape of `ContactImportSerializer`."""
    user = done.user
    return {
        "id": done.pk,
        "status": _status(done),
        "fileName": done.media_name,
        "rowsCount": done.rows_count,
        "rowsRead": done.rows_read,
        "createdCount": done.created_count,
        "existingCount": done.existing_count,
        "filledCount": done.filled_count,
        "failedCount": done.failed_count,
        "errorCode": done.error_code or None,
        "user": {"id": user.pk, "name": user.name} if user else None,
        "createdAt": done.created_at,
        "finishedAt": done.finished_at,
    }


def _status(done: ContactImport) -> str:
    if done.state == LeaseState.FAILED:
        return "canceled" if done.error_code == CANCELED else "failed"
    if done.state == LeaseState.DONE:
        return "done"
    return "waiting" if done.rows_count is None else "running"
