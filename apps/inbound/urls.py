from django.urls import URLPattern, re_path

from apps.inbound.views import gateway
from apps.inbound.views.webhook import whatsapp_webhook

urlpatterns: list[URLPattern] = [re_path(r"^whatsapp/?$", whatsapp_webhook, name="webhook")]

# Mounted at /internal/gateway/ (docs/gateway.md).
_SESSION = r"^sessions/(?P<session_id>\d{1,18})"
gateway_patterns: list[URLPattern] = [
    re_path(r"^lease$", gateway.lease, name="gateway-lease"),
    re_path(r"^beat$", gateway.beat, name="gateway-beat"),
    re_path(rf"{_SESSION}/keys/read$", gateway.keys_read, name="gateway-keys"),
    re_path(rf"{_SESSION}/commit$", gateway.commit, name="gateway-commit"),
    re_path(rf"{_SESSION}/wipe$", gateway.wipe, name="gateway-wipe"),
    re_path(r"^files/(?P<token>[\w:.=-]{1,1000})$", gateway.file, name="gateway-file"),
]
