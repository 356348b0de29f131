"""The calls of invoices and the checkout (rules/billing §1 and §2)."""

from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.billing.queries.invoices import InvoiceFilters, invoices_of
from apps.billing.serializers.invoices import (
    CheckoutSerializer,
    InvoicePageSerializer,
    InvoiceSerializer,
    PixChargeSerializer,
    SubscriptionInputSerializer,
)
from apps.billing.serializers.plan_changes import PlanChoiceSerializer, SubscribedPlanSerializer
from apps.billing.services.checkout import checkout_of, subscribe
from apps.billing.services.invoices import get_invoice
from apps.billing.services.plan_changes import ask_for_plan, subscribed
from apps.common.callers import caller_of, client_address, is_older_browser
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.records import PAGE, SEARCH
from apps.common.serializers import body_values, row_of, rows_of

# Older browsers ask for one page only, and get at most this many invoices on it.
MAX_OLDER_INVOICES = 500

# The checkout's field names, which older browsers send, and the company's fields.
_BILLING = {
    "address2": "address_street",
    "city": "address_city",
    "state": "address_state",
    "zipcode": "address_zip_code",
}


class InvoiceViewSet(ViewSet):
    """The invoices of the caller's company."""

    lookup_url_kwarg = "invoice_id"
    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listInvoices", parameters=[SEARCH, PAGE], responses=InvoicePageSerializer
    )
    @action(detail=False, url_path="all", url_name="list")
    def list_all(self, request: Request) -> Response:
        """Return a page of the company's invoices, latest due date first.

        A page of another origin is an older browser: it gets an array of all the invoices.
        """
        found = narrowed(invoices_of(caller_of(request).company_id), InvoiceFilters, request)
        if is_older_browser(request):
            response = Response(rows_of(InvoiceSerializer, found[:MAX_OLDER_INVOICES]))
        else:
            page = paginate(found, page_number(request))
            response = Response(page.body("invoices", rows_of(InvoiceSerializer, page.rows)))
        patch_vary_headers(response, ["Origin"])
        return response

    @extend_schema(operation_id="getInvoice", responses=InvoiceSerializer)
    def retrieve(self, request: Request, invoice_id: str) -> Response:
        """Return one invoice."""
        company_id = caller_of(request).company_id
        invoice = get_invoice(company_id=company_id, invoice_id=int(invoice_id))
        return Response(row_of(InvoiceSerializer, invoice))


class SubscribedPlanView(APIView):
    """The company's plan, and its change in the middle of a cycle (rules/billing §6)."""

    @extend_schema(operation_id="getSubscribedPlan", responses=SubscribedPlanSerializer)
    def get(self, request: Request) -> Response:
        """Return the plan with its use, and what each other plan costs now."""
        return Response(row_of(SubscribedPlanSerializer, subscribed(caller_of(request).company_id)))

    @extend_schema(
        operation_id="changeSubscribedPlan",
        request=PlanChoiceSerializer,
        responses=SubscribedPlanSerializer,
    )
    def post(self, request: Request) -> Response:
        """Change the plan at once, or make the invoice (`pending`) whose payment changes it."""
        caller = caller_of(request)
        changed = ask_for_plan(
            company_id=caller.company_id,
            plan_id=body_values(PlanChoiceSerializer, request.data)["plan"],
            actor=caller,
            ip_address=client_address(request),
        )
        return Response(row_of(SubscribedPlanSerializer, changed))


class SubscriptionView(APIView):
    """The checkout."""

    @extend_schema(operation_id="getCheckout", responses=CheckoutSerializer)
    def get(self, request: Request) -> Response:
        """Return the plans to choose from, and the stored name and address of the payer."""
        return Response(row_of(CheckoutSerializer, checkout_of(caller_of(request).company_id)))

    @extend_schema(
        operation_id="subscribe",
        request=SubscriptionInputSerializer,
        responses=PixChargeSerializer,
    )
    def post(self, request: Request) -> Response:
        """Price the invoice by the chosen plan, and return the Pix charge that pays it."""
        caller = caller_of(request)
        fields = body_values(SubscriptionInputSerializer, request.data)
        name = f"{fields.get('firstName', '')} {fields.get('lastName', '')}".strip()
        charge = subscribe(
            actor=caller,
            company_id=caller.company_id,
            invoice_id=fields["invoiceId"],
            asked=fields.get("plan") or {},
            billing={
                "billing_name": name,
                **{column: fields.get(word, "") for word, column in _BILLING.items()},
            },
        )
        return Response(row_of(PixChargeSerializer, charge))
