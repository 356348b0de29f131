from django.apps import AppConfig


class QueuesConfig(AppConfig):
    name = "apps.queues"

    def ready(self) -> None:
        from apps.billing.services import register_use
        from apps.queues.models import Queue

        register_use("queues", lambda company_id: Queue.objects.for_company(company_id).count())
