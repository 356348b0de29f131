import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0002_retention"),
        ("desk", "0003_rules"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Rehearsal",
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
                (
                    "subject",
                    models.CharField(
                        choices=[
                            ("assignment", "assignment"),
                            ("sla", "sla"),
                            ("rule", "rule"),
                        ],
                        max_length=10,
                    ),
                ),
                ("target_id", models.BigIntegerField(null=True)),
                ("proposal", models.JSONField(default=dict)),
                ("days", models.PositiveSmallIntegerField(default=7)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("tickets_total", models.PositiveIntegerField(default=0)),
                ("tickets_done", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(null=True)),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(db_index=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="rehearsal_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=("company",),
                        name="one_rehearsal_at_a_time",
                    )
                ],
            },
        ),
    ]
