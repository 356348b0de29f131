from apps.common.routing import route
from apps.mail.views import EmailResendView, EmailsView, EmailView, OlderListView, OlderSendView

urlpatterns = [
    route("emails", EmailsView.as_view(), name="emails"),
    route("emails/(?P<email_id>[0-9]+)", EmailView.as_view(), name="emails-detail"),
    route("emails/(?P<email_id>[0-9]+)/resend", EmailResendView.as_view(), name="emails-resend"),
    route("enviar-email", OlderSendView.as_view(), name="emails-older-send"),
    route("listar-emails-enviados", OlderListView.as_view(), name="emails-older-list"),
]
