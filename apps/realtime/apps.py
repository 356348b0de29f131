from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "apps.realtime"
