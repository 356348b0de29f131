from django.db.models import Model, QuerySet
from django_filters import CharFilter, FilterSet, IsoDateTimeFilter, NumberFilter

from apps.audit.models import AuditEntry

SIGNED_IN = "session.opened"
LAST_ID = 2**63 - 1


def entries_of(company_id: int) -> "QuerySet[AuditEntry]":
    """Return a company's audit entries, newest first."""
    entries: QuerySet[AuditEntry] = AuditEntry.objects.for_company(company_id)
    return entries.order_by("-created_at", "-id")


def entries_about(target: Model) -> "QuerySet[AuditEntry]":
    """Return the audit entries about a company's record, newest first."""
    entries = entries_of(target.company_id)  # type: ignore[attr-defined]
    return entries.filter(object_type=target._meta.model_name, object_id=str(target.pk))


def sign_ins_of(user_id: int) -> "QuerySet[AuditEntry]":
    """Return a user's sign-ins, newest first."""
    return AuditEntry.objects.filter(actor_id=user_id, action=SIGNED_IN).order_by("-id")


class AuditFilters(FilterSet):
    """Filters of the audit log: the user, the kind of action, and the period."""

    userId = NumberFilter(field_name="actor_id", min_value=1, max_value=LAST_ID)
    kind = CharFilter(method="of_kind", max_length=50)
    since = IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    until = IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")

    def of_kind(
        self, entries: "QuerySet[AuditEntry]", name: str, kind: str
    ) -> "QuerySet[AuditEntry]":
        """Keep the actions on one kind of object: 'contact' means all 'contact.…'."""
        return entries.filter(action__startswith=f"{kind}.")
