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
    BoundedListField,
    IdField,
    OptionalIdField,
    RowSerializer,
    TextField,
    name_field,
)
from apps.contacts.models import Contact


class ContactFieldSerializer(serializers.Serializer[Any]):
    """One field of extra info; a known `id` changes that field, any other makes a new one."""

    id = OptionalIdField()
    name = serializers.CharField(max_length=100)
    value = TextField(required=True, max_length=5000)


class ContactInputSerializer(serializers.Serializer[Any]):
    """What a contact form sends (rules/contacts §1); what is left out stays as it is."""

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


class ContactConnectionSerializer(RowSerializer):
    """The connection that a contact first wrote to."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ContactSerializer(RowSerializer):
    """A contact as every answer and event carries it."""

    # Fetch `connection` and `extra_info` before; `contact_rows_of` makes the same of stored rows.
    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    username = serializers.CharField(help_text="What the person chose to be called at WhatsApp.")
    userId = serializers.CharField(
        help_text="Meta's business-scoped user id, or the LID of a QR session."
    )
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField(source="is_group")
    companyId = serializers.IntegerField(source="company_id")
    whatsappId = serializers.IntegerField(source="connection_id", allow_null=True)
    whatsapp = ContactConnectionSerializer(source="connection", allow_null=True)
    extraInfo = ContactFieldSerializer(source="extra_info", many=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_userId(self, contact: Contact) -> str:
        return next(iter(contact.ids), "")

    def _read_profilePicUrl(self, contact: Contact) -> str:
        return media_url(contact.picture_path)


class ListedContactSerializer(ContactSerializer):
    """A contact of a list, and the uuid of its live ticket if the caller may read that."""

    uuid = serializers.UUIDField(required=False, allow_null=True)


class ContactPageSerializer(serializers.Serializer[Any]):
    """A page of contacts."""

    contacts = ListedContactSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class ContactOptionSerializer(serializers.Serializer[Any]):
    """A contact to choose in a field."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField()
    email = serializers.CharField()
    profilePicUrl = serializers.CharField()
    isGroup = serializers.BooleanField()


class ContactIdsSerializer(serializers.Serializer[Any]):
    """The contacts to delete at once."""

    ids = BoundedListField(child=IdField(), min_length=1, max_length=1000)


class RefusedDeletionSerializer(serializers.Serializer[Any]):
    """A contact that could not go, and why."""

    id = serializers.IntegerField()
    reason = serializers.CharField()


class DeletedContactsSerializer(serializers.Serializer[Any]):
    """What became of a deletion of several contacts."""

    deleted = serializers.ListField(child=serializers.IntegerField())
    refused = RefusedDeletionSerializer(many=True)


class ImportedContactsSerializer(serializers.Serializer[Any]):
    """What became of an address book of `count` entries."""

    count = serializers.IntegerField()
    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    existing = serializers.IntegerField()
    invalid = serializers.IntegerField()


class MergeInputSerializer(serializers.Serializer[Any]):
    """The contact that goes into the one of the address."""

    contactId = IdField()


class MergeUserSerializer(RowSerializer):
    """Who merged."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class MergeSerializer(RowSerializer):
    """Two contacts made one: `name` and `number` were those of the one that went."""

    id = serializers.IntegerField()
    contactId = serializers.IntegerField(source="contact_id")
    name = serializers.CharField(source="gone.name")
    number = serializers.CharField(source="gone.number")
    user = MergeUserSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class MergedContactSerializer(RowSerializer):
    """The contact that stayed, and how to take it back."""

    merge = MergeSerializer()
    contact = ContactSerializer()


class PartedContactsSerializer(RowSerializer):
    """The contact that stayed, and the other, which is there again."""

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
    rows: dict[int, dict[str, Any]] = {}
    for *values, connection_name, fields in _STORED.rows(ids=list(contact_ids)):
        row: dict[str, Any] = dict(zip(_OWN, values, strict=True))
        pk = row["whatsappId"]
        row["userId"] = row["userId"] or ""
        row["profilePicUrl"] = media_url(row["profilePicUrl"])
        row["whatsapp"] = {"id": pk, "name": connection_name} if pk is not None else None
        row["extraInfo"] = _fields(fields) if fields else []
        rows[row["id"]] = row
    return [rows[pk] for pk in contact_ids if pk in rows]


def _fields(stored: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"id": pk, "name": name, "value": value} for pk, name, value in sorted(stored)]


OPTION_COLUMNS = ("id", "name", "number", "email", "picture_path", "is_group")


def contact_option(row: Sequence[Any]) -> dict[str, Any]:
    """Return the short shape of a contact to choose, from its OPTION_COLUMNS."""
    pk, name, number, email, picture_path, is_group = row
    return {
        "id": pk,
        "name": name,
        "number": number,
        "email": email,
        "profilePicUrl": media_url(picture_path),
        "isGroup": is_group,
    }
