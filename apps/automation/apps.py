from django.apps import AppConfig


class AutomationConfig(AppConfig):
    name = "apps.automation"

    def ready(self) -> None:
        from apps.automation.services.prompts import forget_prompts_of
        from apps.queues.services.queues import queue_removal

        queue_removal.register(forget_prompts_of)
