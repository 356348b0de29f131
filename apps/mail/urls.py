from apps.common.routing import route
from apps.mail.views import EmailViewSet

_ID = "(?P<email_id>[0-9]+)"

# Older browsers use other paths, and a router would not name the route `emails`.
urlpatterns = [
    route("emails", EmailViewSet.as_view({"get": "list", "post": "create"}), "emails"),
    route(f"emails/{_ID}", EmailViewSet.as_view({"get": "retrieve"}), "emails-detail"),
    route(f"emails/{_ID}/resend", EmailViewSet.as_view({"post": "resend"}), "emails-resend"),
    route("enviar-email", EmailViewSet.as_view({"post": "create_older"}), "emails-older-send"),
    route(
        "listar-emails-enviados", EmailViewSet.as_view({"get": "list_older"}), "emails-older-list"
    ),
]
