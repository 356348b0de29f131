from django.urls import URLPattern, re_path

from apps.inbound.views import whatsapp_webhook

urlpatterns: list[URLPattern] = [re_path(r"^whatsapp/?$", whatsapp_webhook, name="webhook")]
