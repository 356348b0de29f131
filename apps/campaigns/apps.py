from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns.services import answers, outcomes
        from apps.tickets.services.messages.receiving import messages_stored
        from apps.tickets.services.messages.statuses import outcomes_recorded, ticks_recorded

        outcomes_recorded.register(outcomes.settle)
        ticks_recorded.register(outcomes.record_ticks)
        messages_stored.register(answers.take_answers)
