"""Calls of the contact drawer: a contact's earlier tickets and files."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.paging import page_number, paginate
from apps.common.serializers import query_values
from apps.contacts.services import get_contact
from apps.tickets.queries.contact_past import media_of_contact, tickets_of_contact
from apps.tickets.serializers import message_rows_of, ticket_rows_of
from apps.tickets.serializers.gallery import GalleryPageSerializer, GalleryQuerySerializer
from apps.tickets.serializers.tickets import TicketPageSerializer

CONTACT_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the contact."
)
PAGE = OpenApiParameter("pageNumber", OpenApiTypes.INT, description="Page number, from 1.")
# Ten lines of three pictures.
GALLERY_PAGE_SIZE = 30


class ContactPastViewSet(ViewSet):
    """A contact's past tickets and files."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="contact_tickets",
        parameters=[CONTACT_ID, PAGE],
        responses=TicketPageSerializer,
    )
    @action(detail=True)
    def tickets(self, request: Request, id: str) -> Response:
        """Return a page of the contact's tickets that the caller may read, newest first."""
        user = caller_of(request)
        contact = get_contact(company_id=user.company_id, contact_id=int(id))
        ids = tickets_of_contact(user, contact.pk).values_list("pk", flat=True)
        page = paginate(ids, page_number(request))
        return Response(page.body("tickets", ticket_rows_of(page.rows)))

    @extend_schema(
        operation_id="contact_media",
        parameters=[CONTACT_ID, GalleryQuerySerializer],
        responses=GalleryPageSerializer,
    )
    @action(detail=True)
    def media(self, request: Request, id: str) -> Response:
        """Return a page of messages with files that the caller may open, newest first."""
        user = caller_of(request)
        number = page_number(request)
        kinds = query_values(GalleryQuerySerializer, request.query_params).get("kinds", [])
        contact = get_contact(company_id=user.company_id, contact_id=int(id))
        ids = media_of_contact(user, contact.pk, kinds=kinds).values_list("pk", flat=True)
        page = paginate(ids, number, GALLERY_PAGE_SIZE)
        return Response(page.body("messages", message_rows_of(page.rows)))
