from django.apps import AppConfig


class CostsConfig(AppConfig):
    name = "apps.costs"

    def ready(self) -> None:
        from apps.costs.services.recording import record_costs
        from apps.costs.services.silence import note_deliveries, note_refusals
        from apps.tickets.services.outbox.statuses import deliveries_reported, outcomes_recorded

        deliveries_reported.register(record_costs)
        deliveries_reported.register(note_deliveries)
        outcomes_recorded.register(note_refusals)
