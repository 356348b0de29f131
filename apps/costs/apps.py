from django.apps import AppConfig


class CostsConfig(AppConfig):
    name = "apps.costs"

    def ready(self) -> None:
        from apps.costs.services.recording import record_costs
        from apps.tickets.services.outbox.statuses import deliveries_reported

        deliveries_reported.register(record_costs)
