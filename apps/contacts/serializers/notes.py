"""Notes on the wire."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import IdField, RowSerializer


class NoteInputSerializer(serializers.Serializer[Any]):
    """A note to write, of 2 to 5,000 characters (rules/contacts §7)."""

    note = serializers.CharField(
        min_length=2,
        max_length=5000,
        error_messages={
            "required": "Escreva a observação.",
            "blank": "Escreva a observação.",
            "null": "Escreva a observação.",
            "min_length": "A observação precisa ter ao menos 2 caracteres.",
            "max_length": "A observação pode ter no máximo 5000 caracteres.",
        },
    )
    ticketId = IdField(source="ticket_id", error_messages={"required": "Informe o atendimento."})
    contactId = IdField(source="contact_id", error_messages={"required": "Informe o contato."})


class NotesOfSerializer(serializers.Serializer[Any]):
    """Whose notes to list: the contact's, or without one the ticket's."""

    contactId = IdField(source="contact_id", required=False)
    ticketId = IdField(source="ticket_id", required=False)


class NoteUserSerializer(RowSerializer):
    """The user who wrote a note."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class NoteSerializer(RowSerializer):
    """A note; `ticketId` is null if the ticket was deleted, `user` if the user was deleted."""

    id = serializers.IntegerField()
    note = serializers.CharField()
    ticketId = serializers.IntegerField(source="ticket_id", allow_null=True)
    contactId = serializers.IntegerField(source="contact_id")
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    user = NoteUserSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
