import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0003_bot"),
        ("companies", "0001_initial"),
        ("tickets", "0007_schedule_source"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="ticket",
            name="bot_state",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="rating_asked_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="message",
            name="source",
            field=models.CharField(
                choices=[
                    ("contact", "Contact"),
                    ("agent", "Agent"),
                    ("phone", "Phone"),
                    ("bot", "Bot"),
                    ("api", "Api"),
                    ("schedule", "Schedule"),
                    ("integration", "Integration"),
                    ("ai", "Ai"),
                ],
                default="contact",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="ticketevent",
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
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="BotTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("integration", "Integration"), ("prompt", "Prompt")],
                        max_length=12,
                    ),
                ),
                ("event_id", models.UUIDField(editable=False, unique=True)),
                ("payload", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("claimed", "Claimed"),
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
                ("last_error", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "integration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="automation.queueintegration",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="tickets.message",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="automation.prompt",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "claimed"])),
                        fields=["ticket", "id"],
                        name="turn_unfinished",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "claimed"])),
                        fields=["next_attempt_at", "id"],
                        name="turn_due",
                    ),
                    models.Index(fields=["finished_at"], name="turn_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("message", "kind"), name="one_turn_per_message")
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rate", models.PositiveSmallIntegerField()),
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
                    "cycle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating",
                        to="tickets.trackingcycle",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["company", "created_at"], name="rating_by_company")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("rate__range", (1, 3))), name="rate_is_1_to_3"
                    )
                ],
            },
        ),
    ]
