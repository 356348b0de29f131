import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import apps.common.encryption


class Migration(migrations.Migration):
    replaces = [
        ("automation", "0009_outgoing_webhooks"),
    ]

    dependencies = [
        ("automation", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("contacts", "0001_version_1"),
        ("tickets", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="IntegrationSession",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("session_id", models.CharField(blank=True, max_length=200)),
                ("data", models.JSONField(default=dict)),
                ("last_used_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "integration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to="automation.queueintegration",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="integration_sessions",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("ticket", "integration"), name="one_session_per_integration"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TokenUse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=100)),
                ("prompt_tokens", models.PositiveIntegerField(default=0)),
                ("completion_tokens", models.PositiveIntegerField(default=0)),
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
                    "prompt",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="token_uses",
                        to="automation.prompt",
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
            ],
            options={
                "indexes": [
                    models.Index(fields=["company", "created_at"], name="token_use_by_company")
                ],
            },
        ),
        migrations.CreateModel(
            name="IntegrationCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event_id", models.UUIDField()),
                ("event", models.CharField(max_length=50)),
                ("url", models.CharField(max_length=500)),
                ("attempt", models.PositiveIntegerField(default=1)),
                ("request_body", models.JSONField(default=dict)),
                ("status_code", models.PositiveIntegerField(blank=True, null=True)),
                ("response_text", models.TextField(blank=True)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("duration_ms", models.PositiveIntegerField(default=0)),
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
                    "integration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calls",
                        to="automation.queueintegration",
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
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.botturn",
                    ),
                ),
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
                "indexes": [
                    models.Index(fields=["integration", "-id"], name="integration_log"),
                    models.Index(fields=["created_at"], name="integration_log_by_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="OutgoingWebhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=50)),
                ("url", apps.common.encryption.EncryptedTextField()),
                ("secret", apps.common.encryption.EncryptedTextField()),
                ("events", models.JSONField(default=list)),
                ("is_active", models.BooleanField(default=True)),
                (
                    "stopped_by",
                    models.CharField(
                        blank=True,
                        choices=[("person", "By Person"), ("failures", "By Failures")],
                        max_length=10,
                    ),
                ),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("paused_until", models.DateTimeField(blank=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outgoing_webhooks",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
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
                    "event",
                    models.CharField(
                        choices=[
                            ("message.received", "Message Received"),
                            ("message.sent", "Message Sent"),
                            ("message.acked", "Message Acked"),
                            ("ticket.opened", "Ticket Opened"),
                            ("ticket.closed", "Ticket Closed"),
                            ("ticket.rated", "Ticket Rated"),
                            ("contact.created", "Contact Created"),
                        ],
                        max_length=20,
                    ),
                ),
                ("event_id", models.UUIDField(editable=False)),
                ("payload", models.JSONField(default=dict)),
                ("status_code", models.PositiveIntegerField(blank=True, null=True)),
                ("response_text", models.TextField(blank=True)),
                ("reason_code", models.CharField(blank=True, max_length=50)),
                ("reason_detail", models.CharField(blank=True, max_length=300)),
                ("duration_ms", models.PositiveIntegerField(default=0)),
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
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contacts.contact",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="automation.outgoingwebhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["webhook", "contact", "id"],
                        name="webhook_unfinished",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="webhook_due",
                    ),
                    models.Index(fields=["webhook", "-id"], name="webhook_log"),
                    models.Index(fields=["created_at"], name="webhook_log_by_age"),
                ],
            },
        ),
    ]
