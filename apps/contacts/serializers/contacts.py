"""Contacts on the wire."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from rest_framework import serializers

from apps.common.compiled_queries import CompiledQuery, collected
from apps.common.media import media_url
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    PartSerializer,
    RowSerializer,
    TextField,
    UnusedField,
    name_field,
)
from apps.contacts.models import Contact

# The same for every form that takes a number (rules/contacts §2).
COMPLETE_NUMBERS_HELP = (
    "False refuses a number of 10 or 11 digits without country code"
    " (`ERR_NUMBER_WITHOUT_COUNTRY`); true gives it that of the company's country. The default is"
    " true for a person and false for a service token."
)


class ContactFieldSerializer(PartSerializer):
    """One field of extra info; with a known `id` it changes that field, else it is a new one."""

    id = OptionalIdField()
    name = serializers.CharField(max_length=100)
    value = TextField(required=True, max_length=5000)


class ContactInputSerializer(serializers.Serializer[Any]):
    """A contact to create or to change (rules/contacts §1); omitted fields do not change."""

    name = name_field()
    number = TextField(
        min_length=8,
        max_length=50,
        trim_whitespace=True,
        error_messages={
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
    extraInfo = BoundedListField(
        source="extra_info", child=ContactFieldSerializer(), required=False, max_length=100
    )
    completeNumbers = BooleanField(
        source="complete_numbers", required=False, help_text=COMPLETE_NUMBERS_HELP
    )
    ignoreMessages = BooleanField(
        source="is_ignored",
        required=False,
        help_text="Messages of this contact are not stored, as if they had not come.",
    )
    disableBot = UnusedField("O bot não pode ser desligado para um contato: desmarque a opção.")


class NumberQuerySerializer(serializers.Serializer[Any]):
    number = TextField(max_length=50, help_text="The number as it was typed.")


class KeptNumberSerializer(RowSerializer):
    """A typed number as it will be kept; `number` is '' for a text that is not a number.

    `isCompleted` tells that it had no country code and got the company's.
    """

    number = serializers.CharField(allow_blank=True)
    shown = serializers.CharField(
        allow_blank=True, help_text="The number as people write it: `+55 11 98000-0200`."
    )
    isCompleted = serializers.BooleanField(source="is_completed")


class ContactConnectionSerializer(RowSerializer):
    """The connection that a contact first wrote to."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ContactTagSerializer(RowSerializer):
    """A tag of a contact's live ticket."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()


class ContactSerializer(RowSerializer):
    """A contact, in all responses and events."""

    # Fetch `connection` and `extra_info` with the contacts. `contact_rows_of` makes the same rows
    # from the database.
    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    username = serializers.CharField(help_text="The username that the person chose at WhatsApp.")
    userId = serializers.CharField(
        help_text="Meta's business-scoped user id, or the LID of a QR session."
    )
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField(source="is_group")
    ignoreMessages = serializers.BooleanField(
        source="is_ignored", help_text="Messages of this contact are not stored."
    )
    companyId = serializers.IntegerField(source="company_id")
    whatsappId = serializers.IntegerField(source="connection_id", allow_null=True)
    whatsapp = ContactConnectionSerializer(source="connection", allow_null=True)
    extraInfo = ContactFieldSerializer(source="extra_info", many=True)
    tags = ContactTagSerializer(
        many=True,
        help_text="Tags belong to tickets. In a list: those of the ticket that `uuid` names.",
    )
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_tags(self, contact: Contact) -> list[Any]:
        return []

    def _read_userId(self, contact: Contact) -> str:
        return next(iter(contact.ids), "")

    def _read_profilePicUrl(self, contact: Contact) -> str:
        return media_url(contact.picture_path)


class ListedContactSerializer(ContactSerializer):
    """A contact of a list, with the uuid of its live ticket if the caller may read that."""

    uuid = serializers.UUIDField(required=False, allow_null=True)


class ContactPageSerializer(serializers.Serializer[Any]):
    contacts = ListedContactSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class ContactOptionSerializer(serializers.Serializer[Any]):
    """The short form of a contact, to be chosen in a field."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField()


class ContactIdsSerializer(serializers.Serializer[Any]):
    """The ids of up to 1,000 contacts to delete."""

    ids = BoundedListField(child=IdField(), min_length=1, max_length=1000)


class RefusedDeletionSerializer(serializers.Serializer[Any]):
    """A contact that was not deleted, and the reason."""

    id = serializers.IntegerField()
    reason = serializers.CharField()


class DeletedContactsSerializer(serializers.Serializer[Any]):
    """The result of deleting several contacts."""

    deleted = serializers.ListField(child=serializers.IntegerField())
    refused = RefusedDeletionSerializer(many=True)


class ImportedContactsSerializer(serializers.Serializer[Any]):
    """The result of importing an address book of `count` entries."""

    count = serializers.IntegerField()
    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    existing = serializers.IntegerField()
    invalid = serializers.IntegerField()


class MergeInputSerializer(serializers.Serializer[Any]):
    """The contact to merge into the one in the path."""

    contactId = IdField()


class MergeUserSerializer(RowSerializer):
    """The user who merged the contacts."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class MergeSerializer(RowSerializer):
    """A merge of two contacts.

    `contactId` is the one that stayed, `name` and `number` were the other's.
    """

    id = serializers.IntegerField()
    contactId = serializers.IntegerField(source="contact_id")
    name = serializers.CharField(source="gone.name")
    number = serializers.CharField(source="gone.number")
    user = MergeUserSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class MergedContactSerializer(RowSerializer):
    """The contact that stayed, and the merge, which can be undone by its id."""

    merge = MergeSerializer()
    contact = ContactSerializer()


class PartedContactsSerializer(RowSerializer):
    """The contact that stayed, and the other, which is restored."""

    contact = ContactSerializer()
    restored = ContactSerializer()


_OWN = {
    "id": "id",
    "name": "name",
    "number": "number",
    "email": "email",
    "username": "username",
    "userId": "shown_id",
    "profilePicUrl": "picture_path",
    "isGroup": "is_group",
    "ignoreMessages": "is_ignored",
    "companyId": "company_id",
    "whatsappId": "connection_id",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
}


def _stored(ids: RawSQL) -> "QuerySet[Contact, Any]":
    fields = collected(
        "field.id, field.name, field.value",
        "contacts_contactfield AS field WHERE field.contact_id = contacts_contact.id",
    )
    contacts = Contact.objects.filter(pk__among=ids).order_by()
    contacts = contacts.annotate(fields=fields, shown_id=Coalesce("user_id", "lid"))
    return contacts.values_list(*_OWN.values(), "connection__name", "fields")


_STORED = CompiledQuery(_stored)


def contact_rows_of(contact_ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return rows of `ContactSerializer` as stored now, in this order, in one query."""
    if not contact_ids:
        return []
    rows: dict[int, dict[str, Any]] = {}
    for *values, connection_name, fields in _STORED.rows(ids=list(contact_ids)):
        row: dict[str, Any] = dict(zip(_OWN, values, strict=True))
        pk = row["whatsappId"]
        row["userId"] = row["userId"] or ""
        row["profilePicUrl"] = media_url(row["profilePicUrl"])
        row["whatsapp"] = {"id": pk, "name": connection_name} if pk is not None else None
        row["extraInfo"] = _fields(fields) if fields else []
        row["tags"] = []
        rows[row["id"]] = row
    return [rows[pk] for pk in contact_ids if pk in rows]


def _fields(stored: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"id": pk, "name": name, "value": value} for pk, name, value in sorted(stored)]


OPTION_COLUMNS = ("id", "name", "number", "email", "picture_path", "is_group")


def contact_option(row: Sequence[Any]) -> dict[str, Any]:
    """Return the row of `ContactOptionSerializer` from the values of OPTION_COLUMNS."""
    pk, name, number, email, picture_path, is_group = row
    return {
        "id": pk,
        "name": name,
        "number": number,
        "email": email,
        "profilePicUrl": media_url(picture_path),
        "isGroup": is_group,
    }
