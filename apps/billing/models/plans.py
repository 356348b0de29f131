"""Plans: the limits and features of companies."""

from django.db import models

from apps.common.models import TimestampedModel


class Plan(TimestampedModel):
    """Limits and features of a subscription (rules/companies §3; 0 means no limit)."""

    name = models.CharField(max_length=100, unique=True)
    users = models.PositiveIntegerField(default=0)
    connections = models.PositiveIntegerField(default=0)
    queues = models.PositiveIntegerField(default=0)
    campaigns = models.PositiveIntegerField(default=0)
    schedules = models.PositiveIntegerField(default=0)
    value = models.DecimalField(max_digits=10, decimal_places=2, default=0)
    use_campaigns = models.BooleanField(default=True)
    use_schedules = models.BooleanField(default=True)
    use_internal_chat = models.BooleanField(default=True)
    use_external_api = models.BooleanField(default=True)
    use_kanban = models.BooleanField(default=True)
    use_open_ai = models.BooleanField(default=True)
    use_integrations = models.BooleanField(default=True)
    is_public = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.name
