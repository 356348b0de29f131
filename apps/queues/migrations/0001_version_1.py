import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models

import apps.companies.models


class Migration(migrations.Migration):
    replaces = [
        ("queues", "0001_initial"),
        ("queues", "0002_queue_options"),
        ("queues", "0003_queue_without_order"),
        ("queues", "0004_option_tag"),
        ("queues", "0005_option_asks"),
    ]

    initial = True

    dependencies = [
        ("companies", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Queue",
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
                ("color", models.CharField(max_length=9)),
                ("order", models.IntegerField(blank=True, default=0, null=True)),
                ("greeting_message", models.TextField(blank=True)),
                ("completion_message", models.TextField(blank=True)),
                ("out_of_hours_message", models.TextField(blank=True)),
                ("rating_message", models.TextField(blank=True)),
                ("expire_chat", models.BooleanField(default=False)),
                ("schedules", models.JSONField(default=apps.companies.models.default_schedules)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="queues",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": (models.OrderBy(models.F("order"), nulls_last=True), "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("company"),
                        django.db.models.functions.text.Lower("name"),
                        name="one_queue_per_name",
                    ),
                    models.UniqueConstraint(
                        models.F("company"),
                        django.db.models.functions.text.Lower("color"),
                        name="one_queue_per_color",
                    ),
                ],
            },
        ),
    ]
