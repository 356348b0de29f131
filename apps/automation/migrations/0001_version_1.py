import django.db.models.deletion
from django.db import migrations, models

import apps.common.encryption


class Migration(migrations.Migration):
    replaces = [
        ("automation", "0001_initial"),
        ("automation", "0002_initial"),
        ("automation", "0003_bot"),
        ("automation", "0004_bot_sessions"),
        ("automation", "0005_integration_calls"),
        ("automation", "0006_reasons"),
        ("automation", "0007_encrypted_addresses"),
        ("automation", "0008_integration_queue"),
    ]

    initial = True

    dependencies = [
        ("companies", "0001_version_1"),
        ("queues", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="QueueIntegration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("dialogflow", "Dialogflow"),
                            ("n8n", "n8n"),
                            ("webhook", "Webhook"),
                            ("webhook_official", "Webhook (API oficial)"),
                            ("typebot", "Typebot"),
                            ("asaas", "Asaas"),
                        ],
                        max_length=20,
                    ),
                ),
                ("name", models.CharField(max_length=50)),
                ("project_name", models.CharField(blank=True, max_length=100)),
                ("json_content", apps.common.encryption.EncryptedTextField(blank=True)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("url", apps.common.encryption.EncryptedTextField(blank=True)),
                ("typebot_slug", models.CharField(blank=True, max_length=200)),
                ("typebot_expires_minutes", models.PositiveIntegerField(default=1)),
                ("typebot_delay_ms", models.PositiveIntegerField(default=1000)),
                ("typebot_keyword_finish", models.CharField(blank=True, max_length=100)),
                ("typebot_keyword_restart", models.CharField(blank=True, max_length=100)),
                ("typebot_restart_message", models.TextField(blank=True)),
                ("typebot_unknown_message", models.TextField(blank=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="integrations",
                        to="companies.company",
                    ),
                ),
                ("signing_secret", apps.common.encryption.EncryptedTextField(blank=True)),
                (
                    "fallback_queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Prompt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=100)),
                ("prompt", models.TextField()),
                ("api_key", apps.common.encryption.EncryptedTextField(blank=True)),
                ("max_messages", models.PositiveIntegerField(default=10)),
                ("max_tokens", models.PositiveIntegerField(default=100)),
                ("temperature", models.FloatField(default=1)),
                ("voice", models.CharField(default="texto", max_length=50)),
                ("voice_key", apps.common.encryption.EncryptedTextField(blank=True)),
                ("voice_region", models.CharField(blank=True, max_length=50)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prompts",
                        to="companies.company",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prompts",
                        to="queues.queue",
                    ),
                ),
                ("base_url", models.URLField(blank=True, max_length=500)),
                ("model", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "abstract": False,
            },
        ),
    ]
