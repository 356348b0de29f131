from apps.billing.views.companies import (
    CompanyListView,
    CompanyOptionsView,
    CompanyView,
)
from apps.billing.views.plans import (
    AllPlansView,
    CompanyPlanView,
    PlansView,
    PlanView,
    PublicPlansView,
)
from apps.common.routing import route

urlpatterns = [
    route("companies", CompanyListView.as_view(), name="companies-list"),
    route("companies/list", CompanyOptionsView.as_view(), name="companies-options"),
    route(r"companies/(?P<company_id>[0-9]+)", CompanyView.as_view(), name="companies-detail"),
    route(
        r"companies/listPlan/(?P<company_id>[0-9]+)",
        CompanyPlanView.as_view(),
        name="company-plan",
    ),
    route("plans", PlansView.as_view(), name="plans-list"),
    route("plans/list", PublicPlansView.as_view(), name="plans-public"),
    route("plans/all", AllPlansView.as_view(), name="plans-all"),
    route(r"plans/(?P<plan_id>[0-9]+)", PlanView.as_view(), name="plans-detail"),
]
