import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("queues", "0006_option_file"),
    ]

    dependencies = [
        ("automation", "0001_version_1"),
        ("contacts", "0001_version_1"),
        ("queues", "0001_version_1"),
    ]

    operations = [
        migrations.AddField(
            model_name="queue",
            name="integration",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="queues",
                to="automation.queueintegration",
            ),
        ),
        migrations.AddField(
            model_name="queue",
            name="prompt",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="automation.prompt",
            ),
        ),
        migrations.CreateModel(
            name="QueueOption",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("title", models.CharField(max_length=100)),
                ("message", models.TextField(blank=True)),
                ("position", models.PositiveIntegerField(default=1)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="queues.queueoption",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="options",
                        to="queues.queue",
                    ),
                ),
                (
                    "redirection_queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="contacts.tag",
                    ),
                ),
                (
                    "asks",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("name", "Name"),
                            ("email", "Email"),
                            ("cpf", "Cpf"),
                            ("number", "Number"),
                            ("text", "Text"),
                        ],
                        max_length=10,
                    ),
                ),
                ("asks_field", models.CharField(blank=True, max_length=100)),
                ("is_media_sent", models.BooleanField(default=False)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ["position", "id"],
                "indexes": [
                    models.Index(fields=["queue", "parent", "position"], name="option_by_place")
                ],
            },
        ),
    ]
