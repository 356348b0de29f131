import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import apps.campaigns.models.campaigns
import apps.campaigns.models.segments
import apps.contacts.models


class Migration(migrations.Migration):
    replaces = [
        ("campaigns", "0001_contact_lists"),
        ("campaigns", "0002_contact_list_imports"),
        ("campaigns", "0003_campaigns"),
        ("campaigns", "0004_segments"),
        ("campaigns", "0005_campaign_recipients_count"),
        ("campaigns", "0006_opt_out_source"),
        ("campaigns", "0007_message_prices"),
        ("campaigns", "0008_recipient_ticks"),
        ("campaigns", "0009_long_user_ids"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0001_version_1"),
        ("contacts", "0001_version_1"),
        ("library", "0001_version_1"),
        ("tickets", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="ContactList",
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
                ("contacts_count", models.PositiveIntegerField(default=0)),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contact_lists",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": ["search_text", "id"],
                "indexes": [
                    models.Index(
                        fields=["company", "search_text", "id"], name="contact_list_by_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactListItem",
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
                ("number", models.CharField(max_length=150)),
                ("canonical_number", models.CharField(max_length=150)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("is_whatsapp_valid", models.BooleanField(blank=True, null=True)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "contact_list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="campaigns.contactlist",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("contact_list"),
                        apps.contacts.models.NameKey("search_text"),
                        models.F("id"),
                        name="list_item_by_key",
                    ),
                    models.Index(
                        condition=models.Q(("is_whatsapp_valid__isnull", True)),
                        fields=["contact_list", "id"],
                        name="list_item_to_check",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("contact_list", "canonical_number"), name="one_item_per_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactListImport",
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
                ("duplicates_count", models.PositiveIntegerField(default=0)),
                ("failed_count", models.PositiveIntegerField(default=0)),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("error_detail", models.CharField(blank=True, max_length=300)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "contact_list",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="newest_import",
                        to="campaigns.contactlist",
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
                        name="list_import_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportFault",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("row", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, max_length=200)),
                ("number", models.CharField(blank=True, max_length=60)),
                ("email", models.CharField(blank=True, max_length=254)),
                ("code", models.CharField(max_length=50)),
                (
                    "list_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="faults",
                        to="campaigns.contactlistimport",
                    ),
                ),
            ],
            options={
                "ordering": ["row", "id"],
                "indexes": [
                    models.Index(fields=["list_import", "row", "id"], name="import_fault_by_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="ContactListCheck",
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
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "contact_list",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="number_check",
                        to="campaigns.contactlist",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="list_check_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CampaignSetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=50)),
                ("value", models.JSONField()),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="campaign_settings",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "key"), name="one_campaign_setting_per_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Segment",
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
                ("rules", models.JSONField(default=apps.campaigns.models.segments.no_rules)),
                ("search_text", models.TextField(editable=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="segments",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": ["search_text", "id"],
                "indexes": [
                    models.Index(fields=["company", "search_text", "id"], name="segment_by_name")
                ],
            },
        ),
        migrations.CreateModel(
            name="Campaign",
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
                ("name", models.CharField(max_length=50)),
                ("search_text", models.TextField(editable=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("INATIVA", "Inactive"),
                            ("PROGRAMADA", "Scheduled"),
                            ("EM_ANDAMENTO", "Running"),
                            ("CANCELADA", "Cancelled"),
                            ("FINALIZADA", "Finished"),
                        ],
                        default="INATIVA",
                        max_length=12,
                    ),
                ),
                ("texts", models.JSONField(default=apps.campaigns.models.campaigns.no_texts)),
                ("asks_confirmation", models.BooleanField(default=False)),
                (
                    "confirmation_texts",
                    models.JSONField(default=apps.campaigns.models.campaigns.no_texts),
                ),
                ("scheduled_at", models.DateTimeField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("completed_at", models.DateTimeField(blank=True, null=True)),
                ("files", models.JSONField(default=list)),
                ("template_name", models.CharField(blank=True, max_length=512)),
                ("template_language", models.CharField(blank=True, max_length=20)),
                ("template_components", models.JSONField(default=list)),
                ("next_send_at", models.DateTimeField(blank=True, null=True)),
                ("steps_count", models.PositiveIntegerField(default=0)),
                ("wait_code", models.CharField(blank=True, max_length=50)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="campaigns",
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
                    "contact_list",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaigns.contactlist",
                    ),
                ),
                (
                    "file_list",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="library.filelist",
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
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaigns.segment",
                    ),
                ),
                ("recipients_count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["company", "-id"], name="campaign_newest_first"),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="campaign_due",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["done", "failed"]),
                            ("status__in", ["PROGRAMADA", "EM_ANDAMENTO"]),
                            _connector="OR",
                        ),
                        name="only_live_campaigns_are_work",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CampaignRecipient",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("number", models.CharField(max_length=150)),
                ("canonical_number", models.CharField(max_length=150)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("search_text", models.TextField(editable=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("asking", "Asking"),
                            ("asked", "Asked"),
                            ("confirmed", "Confirmed"),
                            ("queued", "Queued"),
                            ("sent", "Sent"),
                            ("failed", "Failed"),
                            ("skipped", "Skipped"),
                            ("not_confirmed", "Not Confirmed"),
                        ],
                        default="pending",
                        max_length=13,
                    ),
                ),
                ("variant", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("confirmation_requested_at", models.DateTimeField(blank=True, null=True)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("queued_at", models.DateTimeField(blank=True, null=True)),
                ("first_message_pk", models.BigIntegerField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("error_reason", models.CharField(blank=True, max_length=500)),
                ("reason_code", models.CharField(blank=True, max_length=50)),
                ("reason_detail", models.CharField(blank=True, max_length=300)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recipients",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "confirmation_message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("reached_at", models.DateTimeField(blank=True, null=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["campaign", "state", "id"], name="recipient_by_state"),
                    models.Index(
                        fields=["company", "canonical_number"], name="recipient_by_number"
                    ),
                    models.Index(
                        condition=models.Q(("state", "asked")),
                        fields=["campaign", "confirmation_requested_at"],
                        name="recipient_awaited",
                    ),
                    models.Index(fields=["campaign", "id"], name="recipient_by_campaign"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "canonical_number"), name="one_recipient_per_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OptOut",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("canonical_number", models.CharField(max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="opt_outs",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("word", "Word"), ("meta", "Meta")],
                        db_default="word",
                        default="word",
                        max_length=4,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "canonical_number"), name="one_opt_out_per_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MessagePrice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("MARKETING", "Marketing"),
                            ("UTILITY", "Utility"),
                            ("AUTHENTICATION", "Authentication"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "country",
                    models.CharField(
                        help_text="ISO code (BR), calling code (55), or * for every other country.",
                        max_length=3,
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        max_length=3,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Z]{3}$", "Three capital letters, such as BRL."
                            )
                        ],
                    ),
                ),
                (
                    "price",
                    models.DecimalField(
                        decimal_places=6,
                        max_digits=12,
                        validators=[django.core.validators.MinValueValidator(0)],
                    ),
                ),
                ("valid_from", models.DateField()),
            ],
            options={
                "ordering": ["category", "country", "-valid_from"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("category", "country", "valid_from"), name="one_price_per_day"
                    )
                ],
            },
        ),
    ]
