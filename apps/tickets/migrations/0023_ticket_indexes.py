from django.db import migrations, models

from apps.common.large_indexes import AddLargeIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tickets", "0022_sla_deadline")]

    operations = [
        AddLargeIndex(
            model_name="ticket",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["company", "-woken", "priority", "queued_at", "id"],
                name="ticket_waiting_order",
            ),
        ),
        AddLargeIndex(
            model_name="ticket",
            index=models.Index(
                condition=models.Q(("snoozed_at__isnull", False)),
                fields=["company", "-updated_at", "-id"],
                name="ticket_snoozed",
            ),
        ),
        AddLargeIndex(
            model_name="ticket",
            index=models.Index(
                condition=models.Q(("sla_due_at__isnull", False)),
                fields=["company", "status", "sla_due_at", "id"],
                name="ticket_by_deadline",
            ),
        ),
        # Only now: until here the version before reads its waiting lists by it.
        migrations.RemoveIndex(model_name="ticket", name="ticket_waiting"),
    ]
