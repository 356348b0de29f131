from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "apps.realtime"

    def ready(self) -> None:
        from apps.common.heartbeat import process_died
        from apps.realtime.backplane import publisher

        process_died.register(publisher.miss_all)
