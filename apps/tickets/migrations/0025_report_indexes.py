from django.db import migrations, models

from apps.common.large_indexes import AddLargeIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tickets", "0024_opened_cycles")]

    operations = [
        AddLargeIndex(
            model_name="trackingcycle",
            index=models.Index(
                fields=["company", "user", "-queued_at", "-id"], name="cycle_by_user"
            ),
        ),
        AddLargeIndex(
            model_name="trackingcycle",
            index=models.Index(
                fields=["company", "queue", "-queued_at", "-id"], name="cycle_by_queue"
            ),
        ),
        AddLargeIndex(
            model_name="trackingcycle",
            index=models.Index(
                condition=models.Q(("rate__isnull", False)),
                fields=["company", "-queued_at", "-id"],
                name="cycle_rated",
            ),
        ),
        AddLargeIndex(
            model_name="ticketactivity",
            index=models.Index(
                condition=models.Q(("actor__isnull", False)),
                fields=["actor", "created_at"],
                name="event_by_actor",
            ),
        ),
        AddLargeIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("user__isnull", False)),
                fields=["user", "created_at"],
                name="message_by_user_age",
            ),
        ),
    ]
