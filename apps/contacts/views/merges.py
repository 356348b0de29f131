"""Calls about contacts that are one person."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import body_values
from apps.contacts import services
from apps.contacts.serializers.contacts import (
    MergedContactSerializer,
    MergeInputSerializer,
    MergeSerializer,
    PartedContactsSerializer,
    contact_row,
    merge_row,
)


class ContactMergeCreation(APIView):
    """Two contacts made one."""

    @extend_schema(
        operation_id="mergeContacts",
        request=MergeInputSerializer,
        responses=MergedContactSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Merge another contact into this one, which stays."""
        caller = caller_of(request)
        data = body_values(MergeInputSerializer, request.data)
        merge = services.merge_by_hand(
            contact_id=int(id),
            other_id=data["contactId"],
            actor=caller,
            ip_address=client_address(request),
        )
        contact = services.get_contact(company_id=caller.company_id, contact_id=int(id))
        return Response({"merge": merge_row(merge), "contact": contact_row(contact)})


class ContactMerges(APIView):
    """What was merged into a contact."""

    @extend_schema(operation_id="listMerges", responses=MergeSerializer(many=True))
    def get(self, request: Request, id: str) -> Response:
        """Return the merges that can still be undone, newest first, as a bare array."""
        merges = services.merges_of(company_id=caller_of(request).company_id, contact_id=int(id))
        return Response([merge_row(merge) for merge in merges])


class MergeUndoing(APIView):
    """Two contacts parted again."""

    @extend_schema(operation_id="undoMerge", request=None, responses=PartedContactsSerializer)
    def post(self, request: Request, id: str) -> Response:
        """Take a merge of the last 24 hours back."""
        contact, restored = services.undo_merge(
            merge_id=int(id), actor=caller_of(request), ip_address=client_address(request)
        )
        return Response({"contact": contact_row(contact), "restored": contact_row(restored)})
