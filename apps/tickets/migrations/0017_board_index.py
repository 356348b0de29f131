from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0016_activity_renumbered"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="ticket",
            index=models.Index(
                condition=models.Q(("status__in", ["open", "pending"])),
                fields=["company", "-updated_at", "-id"],
                name="ticket_live_by_update",
            ),
        ),
    ]
