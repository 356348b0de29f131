import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0001_initial"),
        ("connections", "0002_template_media"),
        ("contacts", "0003_contact_by_key"),
        ("schedules", "0001_initial"),
        ("tickets", "0010_api_sends"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="schedule",
            name="schedule_due",
        ),
        migrations.AddField(
            model_name="schedule",
            name="finished_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="schedule",
            name="last_error",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="schedule",
            name="next_attempt_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="schedule",
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
            model_name="schedule",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["next_attempt_at", "id"],
                name="schedule_due",
            ),
        ),
    ]
