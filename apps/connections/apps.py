from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "apps.connections"

    def ready(self) -> None:
        from apps.billing.services import register_use
        from apps.connections.models import Connection
        from apps.connections.services import begin_phone_syncs, signed_up

        register_use(
            "connections", lambda company_id: Connection.objects.for_company(company_id).count()
        )
        signed_up.register(begin_phone_syncs)
