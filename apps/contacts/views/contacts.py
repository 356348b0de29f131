"""Calls about contacts."""

from collections.abc import Iterable
from dataclasses import asdict

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.models import User
from apps.common.callers import caller_of, client_address
from apps.common.masking import masked, masks_numbers
from apps.common.paging import page_number
from apps.common.reads import hot
from apps.common.renderers import answered, array_parts
from apps.common.serializers import MAX_ID, SentenceSerializer, body_values, row_of, rows_of
from apps.contacts import services
from apps.contacts.models import Contact
from apps.contacts.queries import page_of_contacts, walk_contacts
from apps.contacts.serializers.contacts import (
    OPTION_COLUMNS,
    ContactIdsSerializer,
    ContactInputSerializer,
    ContactOptionSerializer,
    ContactPageSerializer,
    ContactSerializer,
    DeletedContactsSerializer,
    ImportedContactsSerializer,
    KeptNumberSerializer,
    MergedContactSerializer,
    MergeInputSerializer,
    MergeSerializer,
    NumberQuerySerializer,
    PartedContactsSerializer,
    contact_option,
    contact_rows_of,
)
from apps.contacts.serializers.imports import (
    ContactFilePreviewSerializer,
    ContactFileSerializer,
    ContactImportSerializer,
)
from apps.contacts.serializers.sheets import layout_of
from apps.contacts.services import file_imports
from apps.contacts.services.file_previews import preview_contacts

SEARCH = OpenApiParameter(
    "searchParam", str, description="Part of the name, the number or the e-mail."
)
PAGE = OpenApiParameter("pageNumber", int, description="Page number, from 1; a page has 20 rows.")
EXPORT_NAME = "contacts.csv"
# The parameter is not called `pk`, as the router would, because the schema sorts by paths.
_ID = r"(?P<id>\d+)"


class ContactViewSet(ViewSet):
    lookup_value_regex = r"\d+"

    @extend_schema(parameters=[SEARCH, PAGE], responses=ContactPageSerializer)
    @hot
    def list(self, request: Request) -> HttpResponse:
        """Return a page of contacts in name order.

        With a search, contacts whose name begins with the text come first.
        """
        caller, text = caller_of(request), request.query_params.get("searchParam", "")
        page = page_of_contacts(
            caller.company_id, text, page_number(request), hides=masks_numbers(request)
        )
        rows = contact_rows_of(page.rows)
        services.contact_listing(caller, rows)
        return answered(page.body("contacts", rows))

    @extend_schema(request=ContactInputSerializer, responses={201: ContactSerializer})
    def create(self, request: Request) -> Response:
        """Create a contact."""
        caller = caller_of(request)
        data = body_values(ContactInputSerializer, request.data)
        data.setdefault("complete_numbers", caller.person is not None)
        contact = services.create_contact(
            company_id=caller.company_id,
            **data,
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(row_of(ContactSerializer, contact), status=201)

    @extend_schema(responses=ContactSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return one contact."""
        company_id = caller_of(request).company_id
        found = contact_rows_of([int(pk)]) if int(pk) <= MAX_ID else []
        if not found or found[0]["companyId"] != company_id:
            raise services.ContactNotFound
        return Response(found[0])

    @extend_schema(request=ContactInputSerializer, responses=ContactSerializer)
    def update(self, request: Request, pk: str) -> Response:
        """Change a contact; omitted fields do not change."""
        caller = caller_of(request)
        contact = _find(caller, pk)
        given = request.data if isinstance(request.data, dict) else {}
        resent = given.get("number") == contact.number
        if resent:  # a group's number would be refused, but browsers resend it unchanged
            given = {key: value for key, value in given.items() if key != "number"}
        data = body_values(ContactInputSerializer, given, partial=True)
        completes = data.pop("complete_numbers", caller.person is not None)
        contact = services.update_contact(
            contact=contact,
            changes=data,
            complete_numbers=completes,
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(row_of(ContactSerializer, contact))

    @extend_schema(responses=SentenceSerializer)
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a contact with its tickets and messages."""
        caller = caller_of(request)
        services.delete_contact(
            contact=_find(caller, pk), actor=caller, ip_address=client_address(request)
        )
        return Response({"message": "Contato excluído."})

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "name", str, description="Part of the name, the number or the e-mail."
            ),
            OpenApiParameter(
                "companyId",
                str,
                description="Ignored: the response is always for the caller's company.",
            ),
        ],
        responses=ContactOptionSerializer(many=True),
    )
    @action(detail=False, url_path="list", url_name="options")
    def options_list(self, request: Request) -> StreamingHttpResponse:
        """Return all contacts in name order as a bare array, streamed."""
        company_id, name = caller_of(request).company_id, request.query_params.get("name", "")
        hides = masks_numbers(request)
        walk = walk_contacts(company_id, name, *OPTION_COLUMNS, hides=hides)
        parts = array_parts(
            [masked(each) if hides else each for each in map(contact_option, rows)] for rows in walk
        )
        return StreamingHttpResponse(parts, content_type="application/json")

    @extend_schema(
        operation_id="previewNumber",
        parameters=[NumberQuerySerializer],
        responses=KeptNumberSerializer,
    )
    @action(detail=False, url_path="number", url_name="number")
    def number(self, request: Request) -> Response:
        """Return a typed number as the contact form would keep it; nothing is stored."""
        text = body_values(NumberQuerySerializer, request.query_params).get("number", "")
        kept = services.preview_number(company_id=caller_of(request).company_id, text=text)
        return Response(row_of(KeptNumberSerializer, kept))

    @extend_schema(request=ContactIdsSerializer, responses=DeletedContactsSerializer)
    @action(detail=False, methods=["post"], url_path="delete", url_name="delete")
    def delete_several(self, request: Request) -> Response:
        """Delete up to 1,000 contacts; `refused` has those that can't be deleted, and why."""
        data = body_values(ContactIdsSerializer, request.data)
        return Response(
            services.delete_contacts(
                company_id=caller_of(request).company_id,
                ids=data["ids"],
                actor=caller_of(request),
                ip_address=client_address(request),
            )
        )

    @extend_schema(
        operation_id="importContacts", request=None, responses=ImportedContactsSerializer
    )
    @action(detail=False, methods=["post"], url_path="import", url_name="import")
    def import_book(self, request: Request) -> Response:
        """Import the address book of a connected number."""
        done = services.import_contacts(
            actor=caller_of(request), ip_address=client_address(request)
        )
        return Response(asdict(done))

    @extend_schema(
        operation_id="importContactsFile",
        request={"multipart/form-data": ContactFileSerializer},
        responses={202: ContactImportSerializer},
    )
    @action(detail=False, methods=["post"], url_path="import-file", url_name="import-file")
    def import_file(self, request: Request) -> Response:
        """Import a .csv, .xls or .xlsx file in the background; events report the progress."""
        form = body_values(ContactFileSerializer, request.data)
        made = file_imports.upload_contacts(
            user=caller_of(request),
            upload=form["file"],
            layout=layout_of(form),
            ip_address=client_address(request),
        )
        return Response(row_of(ContactImportSerializer, made), status=202)

    @extend_schema(
        operation_id="previewContactsFile",
        request={"multipart/form-data": ContactFileSerializer},
        responses=ContactFilePreviewSerializer,
    )
    @action(
        detail=False,
        methods=["post"],
        url_path="import-file/preview",
        url_name="import-file-preview",
    )
    def preview_file(self, request: Request) -> Response:
        """Return the first 20 rows of a file as they would be kept; nothing is stored."""
        form = body_values(ContactFileSerializer, request.data)
        shown = preview_contacts(
            company_id=caller_of(request).company_id, upload=form["file"], layout=layout_of(form)
        )
        return Response(row_of(ContactFilePreviewSerializer, shown))

    @extend_schema(
        operation_id="exportContacts",
        parameters=[SEARCH],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=False, url_path="export", url_name="export")
    def export(self, request: Request) -> StreamingHttpResponse:
        """Return a CSV file of all contacts, or of those that a search finds, streamed."""
        parts = services.export_contacts(
            actor=caller_of(request),
            text=request.query_params.get("searchParam", ""),
            ip_address=client_address(request),
        )
        return _download(parts, "text/csv; charset=utf-8", EXPORT_NAME)

    @extend_schema(
        operation_id="exportContactData",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    @action(detail=False, url_path=rf"{_ID}/data", url_name="data")
    def personal_data(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a ZIP archive of all data about a contact, streamed."""
        caller = caller_of(request)
        contact = _find(caller, id)
        parts = services.export_personal_data(
            contact=contact, actor=caller, ip_address=client_address(request)
        )
        return _download(parts, "application/zip", f"contato-{contact.pk}.zip")

    @extend_schema(operation_id="eraseContact", request=None, responses=SentenceSerializer)
    @action(detail=False, methods=["post"], url_path=rf"{_ID}/erase", url_name="erase")
    def erase(self, request: Request, id: str) -> Response:
        """Delete a contact with its conversations, and remove its name from data that stays."""
        caller = caller_of(request)
        services.erase_contact(
            contact=_find(caller, id), actor=caller, ip_address=client_address(request)
        )
        return Response({"message": "Os dados do contato foram apagados."})

    @extend_schema(
        operation_id="mergeContacts",
        request=MergeInputSerializer,
        responses=MergedContactSerializer,
    )
    @action(detail=False, methods=["post"], url_path=rf"{_ID}/merge", url_name="merge")
    def merge(self, request: Request, id: str) -> Response:
        """Merge another contact into this one, which stays."""
        caller = caller_of(request)
        data = body_values(MergeInputSerializer, request.data)
        merge = services.merge_by_hand(
            contact_id=int(id),
            other_id=data["contactId"],
            actor=caller,
            ip_address=client_address(request),
        )
        done = {"merge": merge, "contact": _find(caller, id)}
        return Response(row_of(MergedContactSerializer, done))

    @extend_schema(operation_id="listMerges", responses=MergeSerializer(many=True))
    @action(detail=False, url_path=rf"{_ID}/merges", url_name="merges")
    def merges(self, request: Request, id: str) -> Response:
        """Return the merges that can still be undone, newest first, as a bare array."""
        merges = services.merges_of(company_id=caller_of(request).company_id, contact_id=int(id))
        return Response(rows_of(MergeSerializer, merges))

    @extend_schema(operation_id="undoMerge", request=None, responses=PartedContactsSerializer)
    @action(
        detail=False,
        methods=["post"],
        url_path=rf"merges/{_ID}/undo",
        url_name="merge-undo",
    )
    def undo_merge(self, request: Request, id: str) -> Response:
        """Undo a merge of the last 24 hours."""
        contact, restored = services.undo_merge(
            merge_id=int(id), actor=caller_of(request), ip_address=client_address(request)
        )
        parted = {"contact": contact, "restored": restored}
        return Response(row_of(PartedContactsSerializer, parted))


def _find(caller: User, contact_id: str) -> Contact:
    return services.get_contact(company_id=caller.company_id, contact_id=int(contact_id))


def _download(parts: Iterable[bytes], kind: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        parts,
        content_type=kind,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
        },
    )
