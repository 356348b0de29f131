import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import apps.companies.models


class Migration(migrations.Migration):
    replaces = [("companies", "0001_initial"), ("companies", "0002_company_removal")]

    initial = True

    dependencies = [
        ("billing", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Company",
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
                ("email", models.EmailField(blank=True, max_length=254)),
                ("phone", models.CharField(blank=True, max_length=50)),
                ("is_enabled", models.BooleanField(default=True)),
                ("due_date", models.DateField()),
                ("trial_expires_on", models.DateField(blank=True, null=True)),
                (
                    "recurrence",
                    models.CharField(
                        choices=[
                            ("MENSAL", "Mensal"),
                            ("BIMESTRAL", "Bimestral"),
                            ("TRIMESTRAL", "Trimestral"),
                            ("SEMESTRAL", "Semestral"),
                            ("ANUAL", "Anual"),
                        ],
                        default="MENSAL",
                        max_length=10,
                    ),
                ),
                ("schedules", models.JSONField(default=apps.companies.models.default_schedules)),
                ("billing_name", models.CharField(blank=True, max_length=200)),
                ("address_zip_code", models.CharField(blank=True, max_length=20)),
                ("address_street", models.CharField(blank=True, max_length=200)),
                ("address_state", models.CharField(blank=True, max_length=50)),
                ("address_city", models.CharField(blank=True, max_length=100)),
                ("address_district", models.CharField(blank=True, max_length=100)),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="companies",
                        to="billing.plan",
                    ),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                "verbose_name_plural": "companies",
            },
        ),
        migrations.CreateModel(
            name="CompanySetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("key", models.CharField(max_length=50)),
                ("value", models.TextField(blank=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="settings",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("company", "key"), name="one_value_per_setting")
                ],
            },
        ),
        migrations.CreateModel(
            name="CompanyRemoval",
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
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "company",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removal",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="removal_due",
                    )
                ],
            },
        ),
    ]
