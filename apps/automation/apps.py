from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from apps.queues.models import Queue


class AutomationConfig(AppConfig):
    name = "apps.automation"

    def ready(self) -> None:
        from apps.queues.services.queues import queue_leaves

        queue_leaves.register(forget_prompts)


def forget_prompts(*, queue: "Queue") -> None:
    # The services import models, so they are looked up when the hook calls.
    from apps.automation.services import prompts

    prompts.forget_prompts_of(queue=queue)
