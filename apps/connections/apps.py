from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "apps.connections"

    def ready(self) -> None:
        from apps.billing.services import register_use
        from apps.connections.models import Connection
        from apps.connections.services import (
            begin_phone_syncs,
            lead_to_first_queue,
            signed_up,
            want_forms,
        )
        from apps.queues.services.options import menu_saved
        from apps.queues.services.queues import first_queue

        register_use(
            "connections", lambda company_id: Connection.objects.for_company(company_id).count()
        )
        signed_up.register(begin_phone_syncs)
        first_queue.register(lead_to_first_queue)
        menu_saved.register(want_forms)
