import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0004_rehearsals")]

    operations = [
        migrations.CreateModel(
            name="RuleTick",
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("event", "Event"),
                            ("time", "Time"),
                            ("sync", "Sync"),
                            ("day", "Day"),
                        ],
                        max_length=10,
                    ),
                ),
                ("key", models.CharField(max_length=40, null=True, unique=True)),
                ("payload", models.JSONField(null=True)),
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
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="rule_tick_due",
                    )
                ],
            },
        ),
        migrations.AlterField(
            model_name="tick",
            name="kind",
            field=models.CharField(
                choices=[
                    ("give", "Give"),
                    ("give_later", "Give Later"),
                    ("return", "Return"),
                    ("release", "Release"),
                    ("seen", "Seen"),
                    ("pause", "Pause"),
                    ("leave", "Leave"),
                    ("sync", "Sync"),
                    ("sla", "Sla"),
                    ("sla_sync", "Sla Sync"),
                    ("sla_hours", "Sla Hours"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="rulerun",
            name="client_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="rulerun",
            name="event",
            field=models.JSONField(default=dict),
        ),
        migrations.AddConstraint(
            model_name="rulerun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("client_id__isnull", False)),
                fields=("ticket", "user", "client_id"),
                name="one_run_per_client_id",
            ),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["rule", "at"], name="rule_run_by_time"),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["ticket", "at"], name="rule_run_of_ticket_by_time"),
        ),
        migrations.RemoveIndex(model_name="rulerun", name="rule_run_of_ticket"),
    ]
