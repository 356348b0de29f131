"""The wire shapes of contact lists and their people."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import ContactList, ContactListImport, ContactListItem
from apps.common.leases import LeaseState
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import IdField, TextField, name_field
from apps.common.sheets import MAX_ROWS

IMPORT_STATES = ("waiting", "running", "done", "failed")


class ContactListInputSerializer(serializers.Serializer[Any]):
    """A contact list to create or rename (rules/contact-lists §1)."""

    name = name_field()


class ContactListItemInputSerializer(serializers.Serializer[Any]):
    """A person to put into a list, or what to change of one, who stays in the list.

    `companyId` is always the caller's.
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


class ContactListUploadSerializer(serializers.Serializer[Any]):
    """A spreadsheet to read into a list."""

    file = serializers.FileField(
        max_length=1000,
        allow_empty_file=True,
        error_messages={
            "required": "Anexe um arquivo.",
            "null": "Anexe um arquivo.",
            "invalid": "Anexe um arquivo.",
        },
    )


class ContactListQuerySerializer(serializers.Serializer[Any]):
    """The query of the lists."""

    searchParam = TextField()
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)


class ContactListItemQuerySerializer(ContactListQuerySerializer):
    """The query of the people of a list; without `contactListId`, of all lists."""

    contactListId = IdField(required=False)
    companyId = TextField(help_text="Ignored: the caller's company.")


class ContactListImportSerializer(serializers.Serializer[Any]):
    """A spreadsheet on its way into a list, or what became of it.

    `rowsCount` is null until the sheet was looked through. Of a `failed` one nothing was stored
    where `errorCode` begins with `ERR_SHEET`.
    """

    id = serializers.IntegerField()
    status = serializers.ChoiceField(IMPORT_STATES)
    fileName = serializers.CharField()
    rowsCount = serializers.IntegerField(allow_null=True, max_value=MAX_ROWS)
    rowsRead = serializers.IntegerField()
    createdCount = serializers.IntegerField()
    duplicatesCount = serializers.IntegerField()
    failedCount = serializers.IntegerField()
    errorCode = serializers.CharField(allow_null=True)
    createdAt = serializers.DateTimeField()
    finishedAt = serializers.DateTimeField(allow_null=True)


class ContactListSerializer(serializers.Serializer[Any]):
    """A contact list; `import` is its newest."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    contactsCount = serializers.IntegerField()
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with the one whose name is a word of the language."""
        return {**super().get_fields(), "import": ContactListImportSerializer(allow_null=True)}


class ContactListPageSerializer(serializers.Serializer[Any]):
    """A page of contact lists."""

    records = ContactListSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class ContactListItemSerializer(serializers.Serializer[Any]):
    """A person of a list; `isWhatsappValid` is null until it is known."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    isWhatsappValid = serializers.BooleanField(allow_null=True)
    companyId = serializers.IntegerField()
    contactListId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class ContactListItemPageSerializer(serializers.Serializer[Any]):
    """A page of the people of a list."""

    contacts = ContactListItemSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


_STATUS = {LeaseState.DONE: "done", LeaseState.FAILED: "failed"}


def import_row(done: ContactListImport) -> dict[str, Any]:
    """Return an import in the shape of `ContactListImportSerializer`."""
    is_begun = done.rows_count is not None
    return {
        "id": done.pk,
        "status": _STATUS.get(LeaseState(done.state), "running" if is_begun else "waiting"),
        "fileName": done.media_name,
        "rowsCount": done.rows_count,
        "rowsRead": done.rows_read,
        "createdCount": done.created_count,
        "duplicatesCount": done.duplicates_count,
        "failedCount": done.failed_count,
        "errorCode": done.error_code or None,
        "createdAt": done.created_at,
        "finishedAt": done.finished_at,
    }


def contact_list_row(listed: ContactList) -> dict[str, Any]:
    """Return a contact list, its import at hand, in the shape of `ContactListSerializer`."""
    newest = getattr(listed, "newest_import", None)
    return {
        "id": listed.pk,
        "name": listed.name,
        "contactsCount": listed.contacts_count,
        "companyId": listed.company_id,
        "createdAt": listed.created_at,
        "updatedAt": listed.updated_at,
        "import": import_row(newest) if newest else None,
    }


def list_item_row(item: ContactListItem) -> dict[str, Any]:
    """Return a person of a list in the shape of `ContactListItemSerializer`."""
    return {
        "id": item.pk,
        "name": item.name,
        "number": item.number,
        "email": item.email,
        "isWhatsappValid": item.is_whatsapp_valid,
        "companyId": item.company_id,
        "contactListId": item.contact_list_id,
        "createdAt": item.created_at,
        "updatedAt": item.updated_at,
    }
