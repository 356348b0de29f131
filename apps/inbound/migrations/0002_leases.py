from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0002_template_media"),
        ("inbound", "0001_initial"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="inboundevent",
            name="inbound_unfinished",
        ),
        migrations.RemoveIndex(
            model_name="inboundevent",
            name="inbound_due",
        ),
        migrations.RenameField(
            model_name="inboundevent",
            old_name="processed_at",
            new_name="finished_at",
        ),
        migrations.RenameField(
            model_name="inboundevent",
            old_name="error",
            new_name="last_error",
        ),
        migrations.AlterField(
            model_name="inboundevent",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("claimed", "Claimed"),
                    ("sending", "Sending"),
                    ("unknown", "Unknown"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="inboundevent",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["connection", "partition", "id"],
                name="inbound_unfinished",
            ),
        ),
        migrations.AddIndex(
            model_name="inboundevent",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["id"],
                name="inbound_due",
            ),
        ),
    ]
