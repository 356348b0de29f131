from apps.billing.views.plans import CompanyPlanView
from apps.common.routing import route

urlpatterns = [
    route(
        r"companies/listPlan/(?P<company_id>[0-9]+)",
        CompanyPlanView.as_view(),
        name="company-plan",
    ),
]
