"""The calls of rehearsals (rules/desk §16)."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common.callers import caller_of, client_address
from apps.common.records import ID
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.desk.models import Rehearsal, Subject
from apps.desk.serializers.rehearsals import (
    RehearsalDetailSerializer,
    RehearsalInputSerializer,
    RehearsalSerializer,
    RehearsalsQuerySerializer,
)
from apps.desk.services.rehearsals import requests
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.serializers import ticket_rows_of

_TARGETS = {
    Subject.ASSIGNMENT: "queue_id",
    Subject.SLA: "sla_id",
    Subject.RULE: "rule_id",
    Subject.BOT: "queue_id",
}


def _shown(rehearsal: Rehearsal) -> dict[str, Any] | None:
    """Return a report as it is shown; what was deleted since is left out, or has no name."""
    report: dict[str, Any] | None = rehearsal.report
    if report is None:
        return None
    company_id = rehearsal.company_id
    names = dict(User.objects.for_company(company_id).values_list("pk", "name"))
    queues = dict(Queue.objects.for_company(company_id).values_list("pk", "name"))
    wanted = [each["ticketId"] for each in report["samples"]]
    own = Ticket.objects.for_company(company_id).filter(pk__in=wanted)
    rows = {row["id"]: row for row in ticket_rows_of(list(own.values_list("pk", flat=True)))}
    people = [{**each, "name": names.get(each["userId"])} for each in report["people"]]
    samples = [
        _sample(each, rows[each["ticketId"]], names, queues)
        for each in report["samples"]
        if each["ticketId"] in rows
    ]
    bot = report.get("bot")
    if bot is not None:
        bot = {
            **bot,
            **{
                name: [{**each, "queueName": queues.get(each["queueId"])} for each in bot[name]]
                for name in ("queues", "nodes")
            },
        }
    return {**report, "people": people, "samples": samples, "bot": bot}


def _sample(
    sample: dict[str, Any],
    ticket: dict[str, Any],
    names: dict[int, str],
    queues: dict[int, str],
) -> dict[str, Any]:
    bot = sample.get("bot")
    return {
        "ticket": ticket,
        "before": _outcome(sample.get("before"), names),
        "after": _outcome(sample.get("after"), names),
        "missedBefore": sample.get("missedBefore", []),
        "missedAfter": sample.get("missedAfter", []),
        "runs": sample.get("runs", 0),
        "at": datetime.fromisoformat(sample["at"]) if "at" in sample else None,
        "refusal": sample.get("refusal", ""),
        "bot": bot and {side: _bot_outcome(bot[side], queues) for side in ("before", "after")},
    }


def _bot_outcome(outcome: dict[str, Any], queues: dict[int, str]) -> dict[str, Any]:
    node = outcome["node"]
    if node is not None:
        node = {**node, "queueName": queues.get(node["queueId"])}
    return {**outcome, "queueName": queues.get(outcome["queueId"]), "node": node}


def _outcome(outcome: dict[str, Any] | None, names: dict[int, str]) -> dict[str, Any] | None:
    if outcome is None:
        return None
    shown = {name: value for name, value in outcome.items() if name != "userId"}
    return {**shown, "userName": names.get(outcome["userId"] or 0)}


class RehearsalsView(APIView):
    @extend_schema(
        operation_id="listRehearsals",
        parameters=[RehearsalsQuerySerializer],
        responses=RehearsalSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return the kept rehearsals of changes that the caller may make, the latest first."""
        asked = query_values(RehearsalsQuerySerializer, request.query_params)
        found = requests.rehearsals_for(caller_of(request))
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
        rehearsal = requests.get_rehearsal(user=caller_of(request), rehearsal_id=int(id))
        row = row_of(RehearsalSerializer, rehearsal)
        return Response({"rehearsal": row, "report": _shown(rehearsal)})

    @extend_schema(operation_id="deleteRehearsal", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a rehearsal; one that runs stops within seconds."""
        requests.delete_rehearsal(
            actor=caller_of(request), rehearsal_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Ensaio excluído."})
