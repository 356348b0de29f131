"""Calls about notes in conversations and mentions (rules/tickets §16)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.serializers import MAX_ID, SentenceSerializer, body_values
from apps.tickets.queries.finding import NoteNotFound
from apps.tickets.serializers import activity_row
from apps.tickets.serializers.notes import MentionsSerializer, NoteWriteSerializer, mention_rows
from apps.tickets.serializers.tickets import TicketActivitySerializer
from apps.tickets.services.tickets.notes import (
    delete_note,
    mentions_of,
    see_mentions,
    write_note,
)

TICKET_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
)
NOTE_ID = OpenApiParameter("note_id", OpenApiTypes.INT, OpenApiParameter.PATH)


class ConversationNoteViewSet(ViewSet):
    """Notes in a ticket's conversation, and the caller's mentions."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="writeConversationNote",
        parameters=[TICKET_ID],
        request=NoteWriteSerializer,
        responses={201: TicketActivitySerializer},
    )
    @action(detail=True, methods=["post"])
    def notes(self, request: Request, id: str) -> Response:
        """Write a note in the conversation; the contact never gets it.

        400 with `ERR_MENTION_NOT_READABLE` for a mention of somebody who may not read the ticket.
        """
        fields = body_values(NoteWriteSerializer, request.data)
        note = write_note(user=caller_of(request), ticket_id=int(id), **fields)
        return Response(activity_row(note), status=201)

    @extend_schema(
        operation_id="deleteConversationNote",
        parameters=[TICKET_ID, NOTE_ID],
        responses=SentenceSerializer,
    )
    @action(detail=True, methods=["delete"], url_path=r"notes/(?P<note_id>\d+)", url_name="note")
    def note(self, request: Request, id: str, note_id: str) -> Response:
        """Delete a note of the conversation; its writer and admins may."""
        if int(note_id) > MAX_ID:
            raise NoteNotFound
        delete_note(user=caller_of(request), ticket_id=int(id), note_id=int(note_id))
        return Response({"message": "Nota excluída."})

    @extend_schema(operation_id="listMentions", responses=MentionsSerializer)
    @action(detail=False)
    def mentions(self, request: Request) -> Response:
        """Return the notes of the last 90 days that mention the caller, newest first."""
        return Response({"mentions": mention_rows(mentions_of(caller_of(request)))})

    @extend_schema(
        operation_id="seeMentions", parameters=[TICKET_ID], request=None, responses={204: None}
    )
    @action(detail=True, methods=["put"], url_path="mentions", url_name="mentions-seen")
    def see(self, request: Request, id: str) -> Response:
        """Note that the caller has opened the conversation in which they were mentioned."""
        see_mentions(user=caller_of(request), ticket_id=int(id))
        return Response(status=204)
