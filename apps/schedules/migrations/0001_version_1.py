import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("schedules", "0001_initial"),
        ("schedules", "0002_leases"),
        ("schedules", "0003_reasons"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0001_version_1"),
        ("contacts", "0001_version_1"),
        ("tickets", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Schedule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("body", models.TextField()),
                ("search_text", models.TextField(blank=True, editable=False)),
                ("send_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("PENDENTE", "Pending"),
                            ("AGENDADA", "Queued"),
                            ("ENVIADA", "Sent"),
                            ("ERRO", "Error"),
                        ],
                        default="PENDENTE",
                        max_length=10,
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("error_reason", models.CharField(blank=True, max_length=500)),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("is_media_shared", models.BooleanField(default=False)),
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
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scheduled_messages",
                        to="companies.company",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="schedules",
                        to="contacts.contact",
                    ),
                ),
                (
                    "message",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="schedule",
                        to="tickets.message",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.TextField(blank=True)),
                (
                    "reason_code",
                    models.CharField(blank=True, db_default="", default="", max_length=50),
                ),
                (
                    "reason_detail",
                    models.CharField(blank=True, db_default="", default="", max_length=300),
                ),
            ],
            options={
                "ordering": ["send_at", "id"],
                "indexes": [
                    models.Index(fields=["company", "send_at", "id"], name="schedule_by_time"),
                    models.Index(
                        fields=["company", "status", "send_at", "id"], name="schedule_by_status"
                    ),
                    models.Index(
                        condition=models.Q(("status", "AGENDADA")),
                        fields=["message"],
                        name="schedule_on_its_way",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="schedule_due",
                    ),
                ],
            },
        ),
    ]
