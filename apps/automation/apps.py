from django.apps import AppConfig


class AutomationConfig(AppConfig):
    name = "apps.automation"

    def ready(self) -> None:
        from apps.automation.services.prompts import tell_prompts_of
        from apps.queues.services.queues import queue_removal

        queue_removal.register(tell_prompts_of)
