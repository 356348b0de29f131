from apps.audit.views import AuditLogView
from apps.common.routing import route

urlpatterns = [route("audit-log", AuditLogView.as_view(), name="audit-log")]
