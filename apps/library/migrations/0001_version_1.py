import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.library.models


class Migration(migrations.Migration):
    replaces = [("library", "0001_initial"), ("library", "0002_file_lists")]

    initial = True

    dependencies = [
        ("accounts", "0001_version_1"),
        ("companies", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="QuickMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("shortcode", models.CharField(max_length=50)),
                ("message", models.TextField(blank=True)),
                ("is_shared", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="quick_messages",
                        to="companies.company",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=apps.library.models.shared_ones_stay,
                        related_name="quick_messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["shortcode", "id"],
                "indexes": [
                    models.Index(
                        fields=["company", "shortcode", "id"], name="quick_message_by_shortcode"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("user"),
                        django.db.models.functions.text.Lower("shortcode"),
                        name="one_shortcode_per_owner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("user__isnull", False), ("is_shared", True), _connector="OR"
                        ),
                        name="quick_message_has_readers",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FileList",
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
                ("message", models.TextField()),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="file_lists",
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
                "ordering": ["name", "id"],
                "indexes": [
                    models.Index(fields=["company", "name", "id"], name="file_list_by_name")
                ],
            },
        ),
        migrations.CreateModel(
            name="FileListItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("name", models.CharField(blank=True, max_length=255)),
                ("position", models.PositiveIntegerField()),
                (
                    "file_list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="library.filelist",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "indexes": [
                    models.Index(fields=["file_list", "position", "id"], name="file_by_place")
                ],
            },
        ),
    ]
