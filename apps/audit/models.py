"""Who did what, when and from where (rules/accounts §7)."""

from django.db import models

from apps.common.models import TenantQuerySet


class AuditEntry(models.Model):
    """A recorded action, written in the transaction of the change."""

    company = models.ForeignKey(
        "companies.Company", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor_name = models.CharField(max_length=100, blank=True)
    action = models.CharField(max_length=50)
    object_type = models.CharField(max_length=50, blank=True)
    object_id = models.CharField(max_length=50, blank=True)
    detail = models.JSONField(default=dict)
    ip_address = models.GenericIPAddressField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["company", "-created_at"], name="audit_by_company"),
            models.Index(fields=["actor", "action", "-id"], name="audit_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"
