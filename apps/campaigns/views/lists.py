"""The calls of contact lists and their people (rules/contact-lists §1 and §2)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.campaigns.models import ContactList, ContactListItem
from apps.campaigns.queries.lists import (
    ContactListFilters,
    ContactListItemFilters,
    contact_lists_of,
    list_items_of,
)
from apps.campaigns.serializers.lists import (
    ContactListInputSerializer,
    ContactListItemInputSerializer,
    ContactListItemPageSerializer,
    ContactListItemQuerySerializer,
    ContactListItemSerializer,
    ContactListMappedUploadSerializer,
    ContactListPageSerializer,
    ContactListQuerySerializer,
    ContactListSerializer,
    ImportPreviewSerializer,
)
from apps.campaigns.services import imports, items, lists
from apps.campaigns.services.import_previews import preview_sheet
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import body_values, row_of, rows_of
from apps.contacts.serializers.sheets import layout_of

FAULTS_NAME = "import-errors.csv"


@record_schema(
    query=(ContactListQuerySerializer,),
    list="Return a page of contact lists by name.",
    create="Create an empty contact list.",
    update="Rename a contact list.",
    destroy="Delete a contact list with its people; refused while a scheduled campaign uses it.",
)
class ContactListViewSet(RecordViewSet):
    input_serializer = ContactListInputSerializer
    row_serializer = ContactListSerializer
    page_serializer = ContactListPageSerializer
    filters = ContactListFilters
    list_name = "records"
    deleted = "Lista de contatos excluída."

    def _records(self, caller: User) -> QuerySet[ContactList]:
        return contact_lists_of(caller.company_id)

    def _find(self, caller: User, record_id: int) -> ContactList:
        return lists.get_contact_list(company_id=caller.company_id, contact_list_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> ContactList:
        return lists.create_contact_list(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> ContactList:
        return lists.update_contact_list(user=caller, contact_list_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        lists.delete_contact_list(user=caller, contact_list_id=record_id, ip_address=ip_address)

    @extend_schema(
        operation_id="contact_lists_options",
        parameters=[
            OpenApiParameter(
                "companyId",
                str,
                description="Ignored: the response is always for the caller's company.",
            )
        ],
        responses=ContactListSerializer(many=True),
    )
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> Response:
        """Return all of the company's lists by name, as a bare array."""
        return Response(rows_of(ContactListSerializer, self._records(caller_of(request))))

    @extend_schema(
        operation_id="contact_lists_upload",
        parameters=[ID],
        request={"multipart/form-data": ContactListMappedUploadSerializer},
        responses={202: ContactListSerializer},
    )
    @action(detail=True, methods=["post"])
    def upload(self, request: Request, id: str) -> Response:
        """Import a .csv, .xls or .xlsx file in the background; `import` has the progress."""
        caller = caller_of(request)
        self._find(caller, int(id))
        form = body_values(ContactListMappedUploadSerializer, request.data)
        listed = imports.upload_sheet(
            user=caller,
            contact_list_id=int(id),
            upload=form["file"],
            layout=layout_of(form),
            ip_address=client_address(request),
        )
        return Response(self._row(listed), status=202)

    @extend_schema(
        operation_id="contact_lists_preview",
        parameters=[ID],
        request={"multipart/form-data": ContactListMappedUploadSerializer},
        responses=ImportPreviewSerializer,
    )
    @action(detail=True, methods=["post"], url_path="upload/preview")
    def preview(self, request: Request, id: str) -> Response:
        """Return the first 20 rows of a file as they would be kept; nothing is stored."""
        caller = caller_of(request)
        self._find(caller, int(id))
        form = body_values(ContactListMappedUploadSerializer, request.data)
        shown = preview_sheet(
            user=caller,
            contact_list_id=int(id),
            upload=form["file"],
            layout=layout_of(form),
        )
        return Response(row_of(ImportPreviewSerializer, shown))

    @extend_schema(
        operation_id="contact_lists_faults",
        parameters=[ID],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=True, url_path="upload/errors")
    def faults(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a CSV file of the first 1,000 faulty rows, each with its reason.

        The reasons are in the language of Accept-Language.
        """
        parts = imports.faults_file(
            user=caller_of(request), contact_list_id=int(id), language=preferred_language(request)
        )
        return StreamingHttpResponse(
            parts,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{FAULTS_NAME}"',
                "Cache-Control": "no-store",
            },
        )


@record_schema(
    query=(ContactListItemQuerySerializer,),
    list="Return a page of the people of contact lists by name.",
    create="Add a person to a contact list.",
    update="Change a person of a contact list; fields that are left out keep their values.",
    destroy="Remove a person from the contact list.",
)
class ContactListItemViewSet(RecordViewSet):
    input_serializer = ContactListItemInputSerializer
    row_serializer = ContactListItemSerializer
    page_serializer = ContactListItemPageSerializer
    filters = ContactListItemFilters
    list_name = "contacts"
    deleted = "Contato excluído da lista."

    def _records(self, caller: User) -> QuerySet[ContactListItem]:
        return list_items_of(caller.company_id)

    def _find(self, caller: User, record_id: int) -> ContactListItem:
        return items.get_list_item(company_id=caller.company_id, item_id=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> ContactListItem:
        return items.create_list_item(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> ContactListItem:
        return items.update_list_item(user=caller, item_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        items.delete_list_item(user=caller, item_id=record_id, ip_address=ip_address)
