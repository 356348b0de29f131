"""The wire shapes of contact lists and their people."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import ContactListImport
from apps.common.leases import LeaseState
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    BooleanField,
    IdField,
    RowSerializer,
    TextField,
    name_field,
    page_of,
)
from apps.common.sheets import MAX_ROWS
from apps.contacts.serializers.contacts import COMPLETE_NUMBERS_HELP
from apps.contacts.serializers.sheets import (
    SheetFormSerializer,
    SheetPreviewRowSerializer,
    SheetPreviewSerializer,
)

IMPORT_STATES = ("waiting", "running", "done", "failed")
_STATUS = {LeaseState.DONE: "done", LeaseState.FAILED: "failed"}


class ContactListInputSerializer(serializers.Serializer[Any]):
    """A contact list to create or rename (rules/contact-lists §1)."""

    name = name_field()


class ContactListItemInputSerializer(serializers.Serializer[Any]):
    """A person to add to a list or to change; a change does not move the person to another list.

    `companyId` is ignored, the caller's is used.
    """

    name = name_field()
    number = serializers.CharField(
        min_length=8,
        max_length=50,
        error_messages={
            "required": "Informe o número.",
            "blank": "Informe o número.",
            "null": "Informe o número.",
            "min_length": "O número precisa ter ao menos 8 caracteres.",
            "max_length": "O número pode ter no máximo 50 caracteres.",
        },
    )
    email = serializers.EmailField(
        required=False,
        max_length=254,
        allow_blank=True,
        allow_null=True,
        error_messages={"invalid": "Informe um e-mail válido."},
    )
    contactListId = IdField(
        source="contact_list_id", error_messages={"required": "Informe a lista de contatos."}
    )
    completeNumbers = BooleanField(
        source="complete_numbers", required=False, help_text=COMPLETE_NUMBERS_HELP
    )


class ContactListMappedUploadSerializer(SheetFormSerializer):
    """A form with a spreadsheet and the columns of its people, as the preview names them.

    Columns count from 0. Without `sheet` and `headerRow` all columns are guessed.
    """


class PreviewRowSerializer(SheetPreviewRowSerializer):
    """A row as it would be kept, `number` as people write it.

    A faulty row has the file's own texts and an `errorCode`.
    """


class ImportPreviewSerializer(SheetPreviewSerializer):
    """The first rows of a file, and the columns that they were read by.

    `columns` are the titles of all columns, '' for one without.
    """

    rows = PreviewRowSerializer(many=True)


class ContactListQuerySerializer(serializers.Serializer[Any]):
    searchParam = TextField()
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class ContactListItemQuerySerializer(ContactListQuerySerializer):
    """The query of the people of a list; without `contactListId`, of all lists."""

    contactListId = IdField(required=False)
    companyId = TextField(help_text="Ignored: the list belongs to the caller's company.")


class ContactListImportSerializer(RowSerializer):
    """An import of a spreadsheet into a list: its progress, or its result.

    `rowsCount` is null until the rows are counted. A `failed` import stored nothing if its
    `errorCode` begins with `ERR_SHEET`.
    """

    id = serializers.IntegerField()
    status = serializers.ChoiceField(IMPORT_STATES)
    fileName = serializers.CharField(source="media_name")
    rowsCount = serializers.IntegerField(source="rows_count", allow_null=True, max_value=MAX_ROWS)
    rowsRead = serializers.IntegerField(source="rows_read")
    createdCount = serializers.IntegerField(source="created_count")
    duplicatesCount = serializers.IntegerField(source="duplicates_count")
    failedCount = serializers.IntegerField(source="failed_count")
    errorCode = serializers.CharField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)

    def _read_status(self, done: ContactListImport) -> str:
        is_begun = done.rows_count is not None
        return _STATUS.get(LeaseState(done.state), "running" if is_begun else "waiting")

    def _read_errorCode(self, done: ContactListImport) -> str | None:
        return done.error_code or None


class ContactListSerializer(RowSerializer):
    """A contact list; `import` is its newest import."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    contactsCount = serializers.IntegerField(source="contacts_count")
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def get_fields(self) -> dict[str, Any]:
        """Add the field whose name is a keyword of Python."""
        newest = ContactListImportSerializer(source="newest_import", allow_null=True)
        return {**super().get_fields(), "import": newest}


ContactListPageSerializer = page_of("records", ContactListSerializer, "A page of contact lists.")


class ContactListItemSerializer(RowSerializer):
    """A person of a list; `isWhatsappValid` is null until the number was checked."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    isWhatsappValid = serializers.BooleanField(source="is_whatsapp_valid", allow_null=True)
    companyId = serializers.IntegerField(source="company_id")
    contactListId = serializers.IntegerField(source="contact_list_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


ContactListItemPageSerializer = page_of(
    "contacts", ContactListItemSerializer, "A page of the people of a list."
)
