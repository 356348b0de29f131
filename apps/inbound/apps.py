from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "apps.inbound"

    def ready(self) -> None:
        from apps.companies.services.retention import kinds
        from apps.connections.services import connection_last_look, connection_leaving
        from apps.contacts.services import contact_erasure
        from apps.inbound.services import forgetting, leaving, retention, unread
        from apps.tickets.services.outbox.statuses import unread_reports

        connection_leaving.register(leaving.handle_waiting)
        connection_last_look.register(leaving.refuse_waiting)
        contact_erasure.register(forgetting.forget_reports_of)
        unread_reports.register(unread.name_unread_statuses)
        kinds["logs"] = retention.LOGS
