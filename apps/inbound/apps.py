from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "apps.inbound"
