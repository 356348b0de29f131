from django.apps import AppConfig


class AutomationConfig(AppConfig):
    name = "apps.automation"

    def ready(self) -> None:
        from apps.automation.services.prompts import tell_prompts_of
        from apps.automation.services.webhook_events import contacts_created
        from apps.contacts.services import new_contacts
        from apps.queues.services.queues import queue_removal

        queue_removal.register(tell_prompts_of)
        new_contacts.register(contacts_created)
