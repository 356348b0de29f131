import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import apps.common.encryption
import apps.tickets.models.elapsed

# What a search for any part of a text needs on PostgreSQL; SQLite reads the rows.
SEARCH_INDEXES = {
    "message_search": "tickets_message",
    "contact_search": "contacts_contact",
}


def create_search_indexes(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, table in SEARCH_INDEXES.items():
        schema_editor.execute(
            f"CREATE INDEX {name} ON {table} USING gin (search_text gin_trgm_ops)"
        )


class Migration(migrations.Migration):
    replaces = [
        ("tickets", "0001_initial"),
        ("tickets", "0002_media_fetches"),
        ("tickets", "0003_search_indexes"),
        ("tickets", "0004_ticket_by_update"),
        ("tickets", "0005_client_ids"),
        ("tickets", "0006_media_by_contact"),
        ("tickets", "0007_schedule_source"),
        ("tickets", "0008_bot"),
        ("tickets", "0009_timers_and_calls"),
        ("tickets", "0010_api_sends"),
        ("tickets", "0011_leases"),
        ("tickets", "0012_ticket_activities"),
        ("tickets", "0013_early_references"),
        ("tickets", "0014_bot_pauses"),
        ("tickets", "0015_reasons"),
        ("tickets", "0016_activity_renumbered"),
        ("tickets", "0017_board_index"),
        ("tickets", "0018_bounded_texts"),
        ("tickets", "0019_qr_sessions"),
        ("tickets", "0020_referral"),
        ("tickets", "0021_delivery_turns"),
        ("tickets", "0022_message_by_connection"),
        ("tickets", "0023_history_rooms"),
        ("tickets", "0024_campaign_source"),
        ("tickets", "0025_message_pricing"),
        ("tickets", "0026_polls"),
        ("tickets", "0027_cycle_facts"),
        ("tickets", "0028_known_cycles"),
        ("tickets", "0029_dashboard"),
        ("tickets", "0030_cycle_rate"),
        ("tickets", "0031_known_rates"),
        ("tickets", "0032_cycle_durations"),
        ("tickets", "0033_delivery_hours"),
        ("tickets", "0034_long_user_ids"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_version_1"),
        ("automation", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0001_version_1"),
        ("contacts", "0001_version_1"),
        ("queues", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("external_id", models.CharField(blank=True, max_length=200, null=True)),
                ("callback_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("from_me", models.BooleanField(default=False)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("contact", "Contact"),
                            ("agent", "Agent"),
                            ("phone", "Phone"),
                            ("bot", "Bot"),
                            ("api", "Api"),
                            ("schedule", "Schedule"),
                            ("campaign", "Campaign"),
                            ("integration", "Integration"),
                            ("ai", "Ai"),
                        ],
                        default="contact",
                        max_length=12,
                    ),
                ),
                (
                    "ack",
                    models.SmallIntegerField(
                        choices=[
                            (-1, "Error"),
                            (0, "Pending"),
                            (1, "Sent"),
                            (2, "Server"),
                            (3, "Delivered"),
                            (4, "Read"),
                            (5, "Played"),
                        ],
                        default=0,
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=50)),
                ("error_reason", models.CharField(blank=True, max_length=500)),
                (
                    "media_type",
                    models.CharField(
                        choices=[
                            ("conversation", "Text"),
                            ("extendedTextMessage", "Extended Text"),
                            ("interactive_list", "Interactive List"),
                            ("image", "Image"),
                            ("sticker", "Sticker"),
                            ("audio", "Audio"),
                            ("video", "Video"),
                            ("application", "File"),
                            ("vcard", "Contact Card"),
                            ("locationMessage", "Location"),
                            ("template", "Template"),
                            ("call_log", "Call Log"),
                            ("unknown", "Unknown"),
                        ],
                        default="conversation",
                        max_length=20,
                    ),
                ),
                ("body", models.TextField(blank=True)),
                ("search_text", models.TextField(blank=True, editable=False)),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("media_seconds", models.FloatField(blank=True, null=True)),
                ("is_read", models.BooleanField(default=False)),
                ("is_deleted", models.BooleanField(default=False)),
                ("is_edited", models.BooleanField(default=False)),
                ("remote_jid", models.CharField(blank=True, max_length=150)),
                ("data", models.JSONField(blank=True, null=True)),
                ("raw", models.JSONField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="connections.connection",
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
                    "participant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="contacts.contact",
                    ),
                ),
                (
                    "quoted",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.message",
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
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Ticket",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("pending", "Pending"), ("open", "Open"), ("closed", "Closed")],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("unread_count", models.PositiveIntegerField(default=0)),
                ("last_message", models.TextField(blank=True)),
                ("last_inbound_at", models.DateTimeField(blank=True, null=True)),
                ("is_group", models.BooleanField(default=False)),
                ("chatbot", models.BooleanField(default=False)),
                ("use_integration", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tickets",
                        to="companies.company",
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tickets",
                        to="connections.connection",
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tickets",
                        to="contacts.contact",
                    ),
                ),
                (
                    "integration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="automation.queueintegration",
                    ),
                ),
                (
                    "latest_message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="automation.prompt",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tickets",
                        to="queues.queue",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tickets",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("bot_state", models.JSONField(blank=True, default=dict)),
                ("referral", models.JSONField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-updated_at", "-id"],
                "indexes": [
                    models.Index(
                        fields=["company", "status", "-updated_at", "-id"], name="ticket_by_status"
                    ),
                    models.Index(
                        fields=["company", "user", "status", "-updated_at", "-id"],
                        name="ticket_by_user",
                    ),
                    models.Index(
                        fields=["company", "queue", "status", "-updated_at", "-id"],
                        name="ticket_by_queue",
                    ),
                    models.Index(fields=["contact", "connection", "-id"], name="ticket_by_contact"),
                    models.Index(fields=["company", "-updated_at", "-id"], name="ticket_by_update"),
                    models.Index(
                        condition=models.Q(("status__in", ["open", "pending"])),
                        fields=["connection", "updated_at"],
                        name="ticket_live_by_line",
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ["open", "pending"])),
                        fields=["company", "-updated_at", "-id"],
                        name="ticket_live_by_update",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["open", "pending"])),
                        fields=("company", "connection", "contact"),
                        name="one_live_ticket_per_contact",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="message",
            name="ticket",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="messages",
                to="tickets.ticket",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="media_state",
            field=models.CharField(
                blank=True,
                choices=[("fetching", "Fetching"), ("ready", "Ready"), ("failed", "Failed")],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="client_id",
            field=models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="reason_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=50),
        ),
        migrations.AddField(
            model_name="message",
            name="reason_detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
        migrations.AddField(
            model_name="message",
            name="pricing",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                fields=["contact", "connection", "-id"], name="message_by_conversation"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["ticket", "-id"], name="message_by_ticket"),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("media_state", "ready")),
                fields=["contact", "-id"],
                name="message_media_by_contact",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                fields=["connection", "from_me", "-created_at"], name="message_by_connection"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id__isnull", False)),
                fields=("connection", "external_id"),
                name="one_message_per_provider_id",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                condition=models.Q(("client_id__isnull", False)),
                fields=("client_id",),
                name="one_message_per_client_id",
            ),
        ),
        migrations.CreateModel(
            name="TicketTag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="contacts.tag"
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="tickets.ticket"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("ticket", "tag"), name="tag_on_ticket_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="ticket",
            name="tags",
            field=models.ManyToManyField(
                related_name="tickets", through="tickets.TicketTag", to="contacts.tag"
            ),
        ),
        migrations.CreateModel(
            name="TrackingCycle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("queued_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("rated_at", models.DateTimeField(blank=True, null=True)),
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
                    "connection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cycles",
                        to="tickets.ticket",
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
                ("rating_asked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "contact",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contacts.contact",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                ("first_answer_at", models.DateTimeField(blank=True, null=True)),
                ("rate", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "answer_microseconds",
                    models.GeneratedField(
                        db_persist=True,
                        expression=apps.tickets.models.elapsed.Elapsed(
                            models.F("first_answer_at"), models.F("queued_at")
                        ),
                        output_field=models.BigIntegerField(null=True),
                    ),
                ),
                (
                    "support_microseconds",
                    models.GeneratedField(
                        db_persist=True,
                        expression=apps.tickets.models.elapsed.Elapsed(
                            models.F("finished_at"), models.F("started_at")
                        ),
                        output_field=models.BigIntegerField(null=True),
                    ),
                ),
                (
                    "wait_microseconds",
                    models.GeneratedField(
                        db_persist=True,
                        expression=apps.tickets.models.elapsed.Elapsed(
                            models.F("started_at"), models.F("queued_at")
                        ),
                        output_field=models.BigIntegerField(null=True),
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["company", "queued_at"], name="cycle_by_company"),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", True), ("started_at__isnull", True)
                        ),
                        fields=["company", "queued_at"],
                        name="cycle_waiting",
                    ),
                    models.Index(
                        fields=["contact", "queued_at", "company"], name="cycle_of_contact"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at__isnull", True)),
                        fields=("ticket",),
                        name="one_unfinished_cycle_per_ticket",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("send", "Send"),
                            ("react", "React"),
                            ("edit", "Edit"),
                            ("delete", "Delete"),
                            ("read", "Mark Read"),
                            ("reject", "Reject Call"),
                        ],
                        default="send",
                        max_length=10,
                    ),
                ),
                ("payload", models.JSONField(default=dict)),
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
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="connections.connection",
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
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tickets.message",
                    ),
                ),
                (
                    "turn",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "Person"), (1, "Answer"), (2, "Rest")], db_default=2, default=2
                    ),
                ),
                ("leaves_until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["connection", "contact", "id"],
                        name="delivery_unfinished",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="delivery_due",
                    ),
                    models.Index(fields=["message"], name="delivery_by_message"),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["turn", "id"],
                        name="delivery_by_turn",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MessageReaction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_me", models.BooleanField()),
                ("emoji", models.CharField(max_length=40)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reactions",
                        to="tickets.message",
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contacts.contact",
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
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("from_me", True)),
                        fields=("message",),
                        name="one_own_reaction",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("from_me", False)),
                        fields=("message", "sender"),
                        name="one_reaction_per_sender",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MediaFetch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("media_id", models.TextField()),
                ("is_voice", models.BooleanField(default=False)),
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
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fetch",
                        to="tickets.message",
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "media fetches",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["id"],
                        name="fetch_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BotTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("integration", "Integration"), ("prompt", "Prompt")],
                        max_length=12,
                    ),
                ),
                ("event_id", models.UUIDField(editable=False, unique=True)),
                ("payload", models.JSONField(default=dict)),
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
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                    "integration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="automation.queueintegration",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="tickets.message",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="automation.prompt",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["finished_at"], name="turn_by_age"),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["ticket", "id"],
                        name="turn_unfinished",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="turn_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("message", "kind"), name="one_turn_per_message")
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rate", models.PositiveSmallIntegerField()),
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
                    "cycle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating",
                        to="tickets.trackingcycle",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["company", "created_at"], name="rating_by_company")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("rate__range", (1, 3))), name="rate_is_1_to_3"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiSend",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                ("body_hash", models.CharField(max_length=64)),
                ("answer", models.JSONField(default=dict)),
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
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="api_send_by_age")],
                "constraints": [
                    models.UniqueConstraint(fields=("connection", "key"), name="one_send_per_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="TicketActivity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("accepted", "Accepted"),
                            ("returned", "Returned"),
                            ("resolved", "Resolved"),
                            ("reopened", "Reopened"),
                            ("transferred", "Transferred"),
                            ("queued", "Queued"),
                            ("bot_ended", "Bot Ended"),
                            ("rated", "Rated"),
                            ("expired", "Expired"),
                            ("renumbered", "Renumbered"),
                        ],
                        max_length=20,
                    ),
                ),
                ("detail", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="activities",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["ticket", "created_at"], name="event_by_ticket")],
            },
        ),
        migrations.CreateModel(
            name="EarlyReference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("original_id", models.CharField(max_length=200)),
                ("report", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["connection", "original_id", "id"], name="early_by_original"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BotPause",
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
                ("payload", models.JSONField(default=dict)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "first_message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tickets.message",
                    ),
                ),
                (
                    "ticket",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pause",
                        to="tickets.ticket",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["next_attempt_at", "id"],
                        name="pause_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoryRoom",
            fields=[
                (
                    "connection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="connections.connection",
                    ),
                ),
                ("first_id", models.BigIntegerField()),
                ("since", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Poll",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="poll",
                        serialize=False,
                        to="tickets.message",
                    ),
                ),
                ("secret", apps.common.encryption.EncryptedTextField()),
            ],
        ),
        migrations.CreateModel(
            name="PollVote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_me", models.BooleanField()),
                ("options", models.JSONField(default=list)),
                ("voted_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "poll",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="votes",
                        to="tickets.poll",
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contacts.contact",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("from_me", True)), fields=("poll",), name="one_own_vote"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("from_me", False)),
                        fields=("poll", "sender"),
                        name="one_vote_per_sender",
                    ),
                ],
            },
        ),
        migrations.RunPython(create_search_indexes),
    ]
