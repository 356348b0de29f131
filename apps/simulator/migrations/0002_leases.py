from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("simulator", "0001_initial"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="simwebhook",
            name="sim_webhook_waiting",
        ),
        migrations.RenameField(
            model_name="simwebhook",
            old_name="posted_at",
            new_name="finished_at",
        ),
        migrations.AddField(
            model_name="simwebhook",
            name="owner",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name="simwebhook",
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
        migrations.AlterField(
            model_name="simwebhook",
            name="last_error",
            field=models.TextField(blank=True),
        ),
        migrations.RunSQL(
            "UPDATE simulator_simwebhook SET state = 'done' WHERE finished_at IS NOT NULL",
            migrations.RunSQL.noop,
        ),
        migrations.AddIndex(
            model_name="simwebhook",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["number", "id"],
                name="sim_webhook_waiting",
            ),
        ),
    ]
