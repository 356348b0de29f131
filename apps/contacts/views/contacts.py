"""Calls about contacts."""

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.paging import page_number
from apps.common.reads import hot
from apps.common.renderers import answered, array_parts
from apps.common.serializers import SentenceSerializer, body_values
from apps.contacts import services
from apps.contacts.queries import page_of_contacts, walk_contacts
from apps.contacts.serializers.contacts import (
    OPTION_COLUMNS,
    ContactIdsSerializer,
    ContactInputSerializer,
    ContactOptionSerializer,
    ContactPageSerializer,
    ContactSerializer,
    DeletedContactsSerializer,
    contact_option,
    contact_row,
    contact_rows_of,
)

SEARCH = OpenApiParameter("searchParam", str, description="Part of name, number or e-mail.")
PAGE = OpenApiParameter("pageNumber", int, description="From 1; 20 per page.")


class ContactViewSet(ViewSet):
    """The company's contacts."""

    lookup_value_regex = r"\d+"

    @extend_schema(parameters=[SEARCH, PAGE], responses=ContactPageSerializer)
    @hot
    def list(self, request: Request) -> HttpResponse:
        """Return a page of contacts in name order; a search has beginnings of names first."""
        caller, text = caller_of(request), request.query_params.get("searchParam", "")
        page = page_of_contacts(caller.company_id, text, page_number(request))
        rows = contact_rows_of(page.rows)
        services.contact_listing(caller, rows)
        return answered(page.body("contacts", rows))

    @extend_schema(request=ContactInputSerializer, responses={201: ContactSerializer})
    def create(self, request: Request) -> Response:
        """Create a contact."""
        data = body_values(ContactInputSerializer, request.data)
        contact = services.create_contact(company_id=caller_of(request).company_id, **data)
        return Response(contact_row(contact), status=201)

    @extend_schema(responses=ContactSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one contact."""
        contact = services.get_contact(company_id=caller_of(request).company_id, contact_id=int(pk))
        return Response(contact_row(contact))

    @extend_schema(request=ContactInputSerializer, responses=ContactSerializer)
    def update(self, request: Request, pk: str) -> Response:
        """Change a contact; fields left out stay."""
        contact = services.get_contact(company_id=caller_of(request).company_id, contact_id=int(pk))
        given = request.data if isinstance(request.data, dict) else {}
        resent = given.get("number") == contact.number
        if resent:  # numbers that no one could type (groups) come back as they were sent
            given = {key: value for key, value in given.items() if key != "number"}
        data = body_values(ContactInputSerializer, given)
        return Response(contact_row(services.update_contact(contact=contact, changes=data)))

    @extend_schema(responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a contact with its tickets and messages."""
        contact = services.get_contact(company_id=caller_of(request).company_id, contact_id=int(pk))
        services.delete_contact(
            contact=contact, actor=caller_of(request), ip_address=client_address(request)
        )
        return Response({"message": "Contato excluído."})


class ContactOptions(APIView):
    """Contacts to choose from."""

    @extend_schema(
        parameters=[
            OpenApiParameter("name", str, description="Part of name, number or e-mail."),
            OpenApiParameter("companyId", str, description="Ignored: the caller's company."),
        ],
        responses=ContactOptionSerializer(many=True),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return all contacts in name order as a bare array, as they are read."""
        company_id, name = caller_of(request).company_id, request.query_params.get("name", "")
        walk = walk_contacts(company_id, name, *OPTION_COLUMNS)
        parts = array_parts([contact_option(row) for row in rows] for rows in walk)
        return StreamingHttpResponse(parts, content_type="application/json")


class ContactDeletion(APIView):
    """Deletion of several contacts."""

    @extend_schema(request=ContactIdsSerializer, responses=DeletedContactsSerializer)
    def post(self, request: Request) -> Response:
        """Delete the contacts that can go and say why the others could not."""
        data = body_values(ContactIdsSerializer, request.data)
        return Response(
            services.delete_contacts(
                company_id=caller_of(request).company_id,
                ids=data["ids"],
                actor=caller_of(request),
                ip_address=client_address(request),
            )
        )
