"""The calls of rules and macros (rules/desk §12 to §15)."""

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
from apps.desk.queries.rules import runs_of
from apps.desk.serializers.rules import (
    MacroInputSerializer,
    MacroRunInputSerializer,
    MacroSerializer,
    RuleInputSerializer,
    RuleRunSerializer,
    RuleRunsPageSerializer,
    RuleRunsQuerySerializer,
    RuleSerializer,
    RulesOrderSerializer,
    RuleSwitchSerializer,
)
from apps.desk.services.rules import macros, saving

PAGE = 40


class RulesView(APIView):
    @extend_schema(operation_id="listRules", responses=RuleSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the company's rules, in the order in which they run."""
        return Response(rows_of(RuleSerializer, saving.rules_of(caller_of(request).company_id)))

    @extend_schema(
        operation_id="createRule", request=RuleInputSerializer, responses={201: RuleSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a rule, the last one, on unless it says otherwise.

        The company's first one switches its setting `rules` on.
        """
        rule = saving.save_rule(
            actor=caller_of(request),
            fields=body_values(RuleInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response(row_of(RuleSerializer, rule), status=201)


class RulesOrderView(APIView):
    @extend_schema(
        operation_id="orderRules",
        request=RulesOrderSerializer,
        responses=RuleSerializer(many=True),
    )
    def put(self, request: Request) -> Response:
        """Have the rules run in this order; 400 unless all of them are named."""
        ids = body_values(RulesOrderSerializer, request.data)["ids"]
        rules = saving.order_rules(
            actor=caller_of(request), ids=ids, ip_address=client_address(request)
        )
        return Response(rows_of(RuleSerializer, rules))


class RuleView(APIView):
    @extend_schema(
        operation_id="updateRule",
        parameters=[ID],
        request=RuleInputSerializer,
        responses=RuleSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Replace a rule; what happened before does not start it as it is now."""
        saving.get_rule(company_id=caller_of(request).company_id, rule_id=int(id))
        rule = saving.save_rule(
            actor=caller_of(request),
            rule_id=int(id),
            fields=body_values(RuleInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response(row_of(RuleSerializer, rule))

    @extend_schema(operation_id="deleteRule", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a rule; what it has done stays in the log."""
        saving.delete_rule(
            actor=caller_of(request), rule_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Regra excluída."})


class RuleSwitchView(APIView):
    @extend_schema(
        operation_id="switchRule",
        parameters=[ID],
        request=RuleSwitchSerializer,
        responses=RuleSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Switch a rule on or off; 400 for one to be switched on that names what is gone."""
        saving.get_rule(company_id=caller_of(request).company_id, rule_id=int(id))
        rule = saving.switch_rule(
            actor=caller_of(request),
            rule_id=int(id),
            is_on=body_values(RuleSwitchSerializer, request.data)["is_on"],
            ip_address=client_address(request),
        )
        return Response(row_of(RuleSerializer, rule))


class RuleRunsView(APIView):
    @extend_schema(
        operation_id="listRuleRuns",
        parameters=[RuleRunsQuerySerializer],
        responses=RuleRunsPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return what rules and macros have done, the latest first, 40 a page."""
        asked = query_values(RuleRunsQuerySerializer, request.query_params)
        runs = runs_of(
            caller_of(request).company_id,
            rule_id=asked.get("rule_id"),
            ticket_id=asked.get("ticket_id"),
            before_id=asked.get("before_id"),
            count=PAGE + 1,
        )
        return Response(
            {"runs": rows_of(RuleRunSerializer, runs[:PAGE]), "hasMore": len(runs) > PAGE}
        )


class MacrosView(APIView):
    @extend_schema(operation_id="listMacros", responses=MacroSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the company's macros and the caller's own, by name."""
        return Response(rows_of(MacroSerializer, macros.macros_of(caller_of(request))))

    @extend_schema(
        operation_id="createMacro", request=MacroInputSerializer, responses={201: MacroSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a macro of the caller, or with `rules:manage` one of the company."""
        macro = macros.save_macro(
            actor=caller_of(request),
            fields=body_values(MacroInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response(row_of(MacroSerializer, macro), status=201)


class MacroView(APIView):
    @extend_schema(
        operation_id="updateMacro",
        parameters=[ID],
        request=MacroInputSerializer,
        responses=MacroSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Replace a macro; a shared one needs `rules:manage`."""
        macros.get_macro(user=caller_of(request), macro_id=int(id))
        macro = macros.save_macro(
            actor=caller_of(request),
            macro_id=int(id),
            fields=body_values(MacroInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return Response(row_of(MacroSerializer, macro))

    @extend_schema(operation_id="deleteMacro", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a macro; a shared one needs `rules:manage`."""
        macros.delete_macro(
            actor=caller_of(request), macro_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Macro excluída."})


class TicketMacrosView(APIView):
    @extend_schema(
        operation_id="runMacro",
        parameters=[ID],
        request=MacroRunInputSerializer,
        responses={201: RuleRunSerializer},
    )
    def post(self, request: Request, id: str) -> Response:
        """Run a macro in a ticket as the caller, whole or not at all.

        409 with `ERR_MACRO_STOPPED`, the refused `action` and its `refusal` where one is refused.
        """
        asked = body_values(MacroRunInputSerializer, request.data)
        run = macros.run_macro(
            user=caller_of(request),
            ticket_id=int(id),
            macro_id=asked["macro_id"],
            client_id=asked.get("client_id"),
        )
        return Response(row_of(RuleRunSerializer, run), status=201)


class MacroUndoView(APIView):
    @extend_schema(
        operation_id="undoMacro", parameters=[ID], request=None, responses=RuleRunSerializer
    )
    def post(self, request: Request, id: str) -> Response:
        """Take a run of one's own back within ten minutes, if nothing has left the house.

        409 with `ERR_CANNOT_UNDO` where the ticket has changed since.
        """
        run = macros.undo_run(user=caller_of(request), run_id=int(id))
        return Response(row_of(RuleRunSerializer, run))
