from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0004_bot_sessions"),
        ("companies", "0001_initial"),
        ("connections", "0002_template_media"),
        ("tickets", "0010_api_sends"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="botturn",
            name="turn_unfinished",
        ),
        migrations.RemoveIndex(
            model_name="botturn",
            name="turn_due",
        ),
        migrations.RemoveIndex(
            model_name="mediafetch",
            name="fetch_due",
        ),
        migrations.AddField(
            model_name="mediafetch",
            name="finished_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="botturn",
            name="last_error",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="botturn",
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
            model_name="delivery",
            name="last_error",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="mediafetch",
            name="last_error",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="mediafetch",
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
            model_name="botturn",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["ticket", "id"],
                name="turn_unfinished",
            ),
        ),
        migrations.AddIndex(
            model_name="botturn",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["next_attempt_at", "id"],
                name="turn_due",
            ),
        ),
        migrations.AddIndex(
            model_name="mediafetch",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["id"],
                name="fetch_due",
            ),
        ),
    ]
