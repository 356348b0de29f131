"""Submissions to the messages API."""

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet


class ApiSend(models.Model):
    """A submission with an Idempotency-Key, and its response.

    The same key with the same body gets the same response and sends nothing.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="+"
    )
    key = models.CharField(max_length=255)
    body_hash = models.CharField(max_length=64)
    answer = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "key"], name="one_send_per_key")
        ]
        indexes = [models.Index(fields=["created_at"], name="api_send_by_age")]

    def __str__(self) -> str:
        return f"submission {self.key} on connection {self.connection_id}"
