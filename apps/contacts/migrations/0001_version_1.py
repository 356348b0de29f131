import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import apps.contacts.models


class Migration(migrations.Migration):
    replaces = [
        ("contacts", "0001_initial"),
        ("contacts", "0002_tag_names_and_notes"),
        ("contacts", "0003_contact_by_key"),
        ("contacts", "0004_username"),
        ("contacts", "0005_contact_merge"),
        ("contacts", "0006_long_user_ids"),
        ("contacts", "0007_folded_fields"),
        ("contacts", "0008_contact_pictures"),
        ("contacts", "0009_contact_imports"),
        ("contacts", "0010_contact_user_id"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Contact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=200)),
                ("number", models.CharField(max_length=150)),
                ("canonical_number", models.CharField(max_length=150)),
                ("lid", models.CharField(blank=True, max_length=140, null=True)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("picture_path", models.CharField(blank=True, max_length=300)),
                ("is_group", models.BooleanField(default=False)),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contacts",
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
                ("username", models.CharField(blank=True, default="", max_length=100)),
                ("user_id", models.CharField(blank=True, max_length=140, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("company"),
                        apps.contacts.models.NameKey("search_text"),
                        models.F("id"),
                        name="contact_by_key",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "canonical_number"), name="one_contact_per_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("lid__isnull", False)),
                        fields=("company", "lid"),
                        name="one_contact_per_lid",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("user_id__isnull", False)),
                        fields=("company", "user_id"),
                        name="one_contact_per_user_id",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactField",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("value", models.TextField(blank=True)),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extra_info",
                        to="contacts.contact",
                    ),
                ),
                (
                    "folded_name",
                    models.CharField(db_default="", default="", editable=False, max_length=200),
                ),
                (
                    "folded_value",
                    models.CharField(db_default="", default="", editable=False, max_length=200),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        fields=["folded_name", "folded_value", "contact"],
                        name="contact_field_by_text",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Tag",
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
                ("color", models.CharField(max_length=9)),
                ("is_kanban", models.BooleanField(default=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tags",
                        to="companies.company",
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
                ("search_text", models.TextField(editable=False)),
            ],
            options={
                "ordering": ["search_text", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "search_text"), name="one_tag_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactMerge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kept_id", models.BigIntegerField()),
                ("gone_id", models.BigIntegerField()),
                ("gone", models.JSONField(default=dict)),
                ("filled", models.JSONField(default=dict)),
                ("rows", models.JSONField(default=dict)),
                ("notes", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                ("undone_at", models.DateTimeField(null=True)),
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
                        related_name="merges",
                        to="contacts.contact",
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
        ),
        migrations.CreateModel(
            name="ContactPicture",
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
                ("name", models.CharField(blank=True, max_length=100)),
                ("wanted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
                (
                    "contact",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="picture",
                        to="contacts.contact",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["id"],
                        name="picture_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactImport",
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
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("rows_count", models.PositiveIntegerField(blank=True, null=True)),
                ("rows_read", models.PositiveIntegerField(default=0)),
                ("created_count", models.PositiveIntegerField(default=0)),
                ("failed_count", models.PositiveIntegerField(default=0)),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("existing_count", models.PositiveIntegerField(default=0)),
                ("filled_count", models.PositiveIntegerField(default=0)),
                ("columns", models.JSONField(default=list)),
                (
                    "company",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
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
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="contact_import_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactImportFault",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("row", models.PositiveIntegerField()),
                ("cells", models.JSONField()),
                ("code", models.CharField(max_length=50)),
                (
                    "contact_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="faults",
                        to="contacts.contactimport",
                    ),
                ),
            ],
            options={
                "ordering": ["row", "id"],
                "indexes": [
                    models.Index(
                        fields=["contact_import", "row", "id"], name="contact_fault_by_row"
                    )
                ],
            },
        ),
    ]
