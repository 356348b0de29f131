from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "apps.inbound"

    def ready(self) -> None:
        from apps.connections.services import connection_last_look, connection_leaving
        from apps.inbound.services import leaving

        connection_leaving.register(leaving.handle_waiting)
        connection_last_look.register(leaving.refuse_waiting)
