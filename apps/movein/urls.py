from apps.common.routing import route
from apps.movein.views import CompanyArchiveView

urlpatterns = [route("company-archive", CompanyArchiveView.as_view(), name="company-archive")]
