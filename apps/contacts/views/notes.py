"""Calls about notes (rules/contacts §7)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.errors import InvalidInput
from apps.common.serializers import SentenceSerializer, body_values, row_of, rows_of
from apps.contacts import services
from apps.contacts.queries import notes_of
from apps.contacts.serializers.notes import (
    NoteInputSerializer,
    NoteSerializer,
    NotesOfSerializer,
)


class NoteViewSet(ViewSet):
    @extend_schema(
        operation_id="createNote", request=NoteInputSerializer, responses={201: NoteSerializer}
    )
    def create(self, request: Request) -> Response:
        """Write a note on a contact, in one of its tickets."""
        fields = body_values(NoteInputSerializer, request.data)
        note = services.create_note(actor=caller_of(request), **fields)
        return Response(row_of(NoteSerializer, note), status=201)

    @extend_schema(
        operation_id="listNotes",
        parameters=[NotesOfSerializer],
        responses=NoteSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        """Return the contact's notes, newest first, or with a ticket only, the ticket's notes."""
        # An empty query parameter counts as omitted.
        given = {name: text for name, text in request.query_params.items() if text}
        subject = body_values(NotesOfSerializer, given)
        if not subject:
            sentence = "Informe o contato ou o atendimento."
            raise InvalidInput(sentence, fields={"contactId": [sentence]}, rule="required")
        notes = notes_of(caller_of(request).company_id, **subject)
        return Response(rows_of(NoteSerializer, notes))

    @extend_schema(operation_id="deleteNote", responses=SentenceSerializer)
    def destroy(self, request: Request, id: str) -> Response:
        """Delete a note; its writer and admins may."""
        services.delete_note(actor=caller_of(request), note_id=int(id))
        return Response({"message": "Observação excluída."})
