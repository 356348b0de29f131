import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import apps.common.encryption


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0002_initial"),
        ("companies", "0001_initial"),
        ("tickets", "0007_schedule_source"),
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
            ],
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
            ],
        ),
        migrations.AddField(
            model_name="prompt",
            name="base_url",
            field=models.URLField(blank=True, max_length=500),
        ),
        migrations.AddField(
            model_name="prompt",
            name="model",
            field=models.CharField(blank=True, max_length=100),
        ),
        migrations.AddField(
            model_name="queueintegration",
            name="signing_secret",
            field=apps.common.encryption.EncryptedTextField(blank=True),
        ),
        migrations.CreateModel(
            name="IntegrationDelivery",
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
                        related_name="deliveries",
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
            ],
            options={
                "verbose_name_plural": "integration deliveries",
            },
        ),
    ]
