from django.db import migrations, models

from apps.common.large_indexes import AddLargeIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tickets", "0026_rating_requests")]

    operations = [
        AddLargeIndex(
            model_name="ticketactivity",
            index=models.Index(
                condition=models.Q(("detail__has_key", "note")),
                fields=["created_at"],
                name="event_note_by_age",
            ),
        ),
    ]
