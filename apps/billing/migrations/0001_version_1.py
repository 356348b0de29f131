from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("billing", "0001_initial"),
        ("billing", "0002_invoices"),
        ("billing", "0003_recurrence_bought"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=100, unique=True)),
                ("users", models.PositiveIntegerField(default=0)),
                ("connections", models.PositiveIntegerField(default=0)),
                ("queues", models.PositiveIntegerField(default=0)),
                ("campaigns", models.PositiveIntegerField(default=0)),
                ("schedules", models.PositiveIntegerField(default=0)),
                ("value", models.DecimalField(decimal_places=2, default=0, max_digits=10)),
                ("use_campaigns", models.BooleanField(default=True)),
                ("use_schedules", models.BooleanField(default=True)),
                ("use_internal_chat", models.BooleanField(default=True)),
                ("use_external_api", models.BooleanField(default=True)),
                ("use_kanban", models.BooleanField(default=True)),
                ("use_open_ai", models.BooleanField(default=True)),
                ("use_integrations", models.BooleanField(default=True)),
                ("is_public", models.BooleanField(default=True)),
            ],
            options={
                "abstract": False,
            },
        ),
    ]
