"""Bases of every model: timestamps and the tenant."""

from typing import Any, Self, TypeVar

from django.db import models

ModelT_co = TypeVar("ModelT_co", bound=models.Model, covariant=True)


class TimestampedModel(models.Model):
    """A row that knows when it was made and last saved, in UTC."""

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class TenantQuerySet(models.QuerySet[ModelT_co]):
    """Every read of a tenant's rows begins here."""

    def for_company(self, company: Any) -> Self:
        """Keep one company's rows; takes a company or its id."""
        return self.filter(company=company)
