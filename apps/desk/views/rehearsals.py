"""The calls of rehearsals (rules/desk §16)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.records import ID
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.desk.models import Subject
from apps.desk.queries.rehearsals import shown_report
from apps.desk.serializers.rehearsals import (
    RehearsalDetailSerializer,
    RehearsalInputSerializer,
    RehearsalSerializer,
    RehearsalsQuerySerializer,
)
from apps.desk.services.rehearsals import requests

_TARGETS = {Subject.ASSIGNMENT: "queue_id", Subject.SLA: "sla_id", Subject.RULE: "rule_id"}


class RehearsalsView(APIView):
    @extend_schema(
        operation_id="listRehearsals",
        parameters=[RehearsalsQuerySerializer],
        responses=RehearsalSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return the company's rehearsals that are kept, the latest first."""
        asked = query_values(RehearsalsQuerySerializer, request.query_params)
        found = requests.rehearsals_of(caller_of(request).company_id)
        return Response(rows_of(RehearsalSerializer, found.filter(**asked)))

    @extend_schema(
        operation_id="createRehearsal",
        request=RehearsalInputSerializer,
        responses={201: RehearsalSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have a change tried on what happened in the last days; nothing but its report is written.

        409 with `ERR_REHEARSAL_RUNS` while the company tries something else, 400 with
        `ERR_REHEARSAL_NOT_STORED` for a rule of whose events no moment is stored.
        """
        asked = body_values(RehearsalInputSerializer, request.data)
        subject = Subject(asked["subject"])
        rehearsal = requests.request_rehearsal(
            actor=caller_of(request),
            subject=subject,
            days=asked["days"],
            target_id=asked.get(_TARGETS[subject]),
            fields=asked.get(subject.value) or {},
            ip_address=client_address(request),
        )
        return Response(row_of(RehearsalSerializer, rehearsal), status=201)


class RehearsalView(APIView):
    @extend_schema(
        operation_id="getRehearsal", parameters=[ID], responses=RehearsalDetailSerializer
    )
    def get(self, request: Request, id: str) -> Response:
        """Return how far a rehearsal is, and its report when it is over."""
        company_id = caller_of(request).company_id
        rehearsal = requests.get_rehearsal(company_id=company_id, rehearsal_id=int(id))
        row = row_of(RehearsalSerializer, rehearsal)
        return Response({"rehearsal": row, "report": shown_report(rehearsal)})

    @extend_schema(operation_id="deleteRehearsal", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a rehearsal; one that runs stops within seconds."""
        requests.delete_rehearsal(
            actor=caller_of(request), rehearsal_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Ensaio excluído."})
