from django.apps import AppConfig


class TicketsConfig(AppConfig):
    name = "apps.tickets"

    def ready(self) -> None:
        from apps.accounts.services import user_removal
        from apps.automation.services.integrations import integration_removal
        from apps.automation.services.prompts import prompt_removal
        from apps.connections.services import connection_removal
        from apps.contacts.services import contact_merge, contact_removal, number_change
        from apps.queues.services.queues import queue_removal
        from apps.tickets.services.messages.late_originals import apply_to
        from apps.tickets.services.messages.statuses import outcomes_recorded
        from apps.tickets.services.tickets import removals

        user_removal.register(removals.return_tickets_of)
        queue_removal.register(removals.free_tickets_of)
        connection_removal.register(removals.close_tickets_of)
        contact_removal.register(removals.forget_tickets_of)
        contact_merge.register(removals.merge_tickets)
        number_change.register(removals.note_number_of)
        prompt_removal.register(removals.end_bots_of)
        integration_removal.register(removals.end_bots_of)
        outcomes_recorded.register(apply_to)
