from django.apps import AppConfig


class AutomationConfig(AppConfig):
    name = "apps.automation"

    def ready(self) -> None:
        from apps.automation.services.prompts import tell_prompts_of
        from apps.automation.services.webhook_events import (
            contacts_created,
            move_deliveries,
            return_deliveries,
        )
        from apps.contacts.services import contact_merge, contact_split, new_contacts
        from apps.queues.services.queues import queue_removal

        queue_removal.register(tell_prompts_of)
        new_contacts.register(contacts_created)
        contact_merge.register(move_deliveries)
        contact_split.register(return_deliveries)
