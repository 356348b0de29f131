from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "apps.connections"

    def ready(self) -> None:
        from apps.connections.services import begin_phone_syncs, signed_up

        signed_up.register(begin_phone_syncs)
