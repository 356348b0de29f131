import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0002_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0005_direct_send"),
        ("contacts", "0004_contactimport_layout"),
        ("queues", "0002_version_1"),
        ("tickets", "0017_priority"),
    ]

    operations = [
        migrations.AddField(
            model_name="ticket",
            name="snoozed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ticket",
            name="snoozed_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ticket",
            name="woken",
            field=models.CharField(
                blank=True,
                choices=[("due", "Due"), ("reply", "Reply"), ("hand", "Hand")],
                db_default="",
                default="",
                max_length=5,
            ),
        ),
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
                    ("prioritized", "Prioritized"),
                    ("snoozed", "Snoozed"),
                    ("woken", "Woken"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Snooze",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
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
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_attempt_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("owner", models.CharField(blank=True, max_length=60)),
                ("lease_expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.TextField(blank=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                    "ticket",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snooze",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="snooze_due",
                    )
                ],
            },
        ),
    ]
