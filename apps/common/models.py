"""Base classes of all models: timestamps and the tenant; and the heartbeats of processes."""

from typing import Any, Self, TypeVar

from django.db import models

ModelT_co = TypeVar("ModelT_co", bound=models.Model, covariant=True)


class TimestampedModel(models.Model):
    """A row with its times of creation and last save, in UTC."""

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class Heartbeat(models.Model):
    """The heartbeat of a worker, or of production's HTTP (`apps.common.heartbeat`)."""

    worker = models.CharField(max_length=60, primary_key=True)
    beaten_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.worker


class TenantQuerySet(models.QuerySet[ModelT_co]):
    """Every read of a tenant's rows begins here."""

    def for_company(self, company: Any) -> Self:
        """Keep one company's rows; takes a company or its id."""
        return self.filter(company=company)
