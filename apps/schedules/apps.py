from django.apps import AppConfig


class SchedulesConfig(AppConfig):
    name = "apps.schedules"

    def ready(self) -> None:
        from apps.billing.services import register_use
        from apps.contacts.services import (
            contact_data,
            contact_merge,
            contact_removal,
            contact_split,
        )
        from apps.costs.queries.origins import register_names
        from apps.schedules.models import Schedule
        from apps.schedules.queries import names_of_schedules
        from apps.schedules.services import outcomes, personal_data, removals
        from apps.tickets.origins import Origin
        from apps.tickets.services.outbox.statuses import outcomes_recorded

        register_use(
            "schedules",
            lambda company_id: Schedule.objects.for_company(company_id).unsent().count(),
        )
        register_names(Origin.SCHEDULE, names_of_schedules)
        contact_removal.register(removals.forget_schedules_of)
        contact_data.register(personal_data.add_schedules)
        contact_merge.register(removals.move_schedules)
        contact_split.register(removals.return_schedules)
        outcomes_recorded.register(outcomes.settle)
