import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0001_version_1"),
        ("tickets", "0015_expired_media"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="ticketactivity",
            name="kind",
            field=models.CharField(
                choices=[
                    ("accepted", "Accepted"),
                    ("returned", "Returned"),
                    ("resolved", "Resolved"),
                    ("reopened", "Reopened"),
                    ("transferred", "Transferred"),
                    ("queued", "Queued"),
                    ("bot_ended", "Bot Ended"),
                    ("rated", "Rated"),
                    ("expired", "Expired"),
                    ("renumbered", "Renumbered"),
                    ("control_passed", "Control Passed"),
                    ("control_taken", "Control Taken"),
                    ("took_control", "Took Control"),
                    ("gave_control", "Gave Control"),
                    ("noted", "Noted"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="NoteMention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="tickets.ticketactivity",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "-id"], name="mention_by_user")],
                "constraints": [
                    models.UniqueConstraint(fields=("note", "user"), name="one_mention")
                ],
            },
        ),
    ]
