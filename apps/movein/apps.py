from django.apps import AppConfig


class MoveInConfig(AppConfig):
    name = "apps.movein"
