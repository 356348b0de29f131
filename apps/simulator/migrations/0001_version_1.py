import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("simulator", "0001_initial"),
        ("simulator", "0002_leases"),
        ("simulator", "0003_templates"),
        ("simulator", "0004_signups"),
        ("simulator", "0005_profiles"),
        ("simulator", "0006_qr_sessions"),
        ("simulator", "0007_phone_questions"),
        ("simulator", "0008_usernames"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SimCustomer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wa_id", models.CharField(max_length=30, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("photo", models.CharField(blank=True, max_length=100)),
                ("has_whatsapp", models.BooleanField(default=True)),
                ("hides_number", models.BooleanField(default=False)),
                ("username", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SimMedia",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("media_id", models.CharField(max_length=30, unique=True)),
                ("file", models.FileField(max_length=300, upload_to="simulator/")),
                ("name", models.CharField(blank=True, max_length=255)),
                ("mime", models.CharField(max_length=150)),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveBigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="SimNumber",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("phone_number_id", models.CharField(max_length=50, unique=True)),
                ("waba_id", models.CharField(max_length=50)),
                ("display_phone_number", models.CharField(max_length=30)),
                ("verified_name", models.CharField(max_length=100)),
                ("is_on_app", models.BooleanField(default=False)),
                ("is_registered", models.BooleanField(default=True)),
                ("profile", models.JSONField(blank=True, default=dict)),
                ("is_phone", models.BooleanField(default=False)),
                ("asked", models.JSONField(blank=True, default=list)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SimConversation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_customer_at", models.DateTimeField(blank=True, null=True)),
                ("typing_until", models.DateTimeField(blank=True, null=True)),
                ("active_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="simulator.simcustomer",
                    ),
                ),
                (
                    "number",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="simulator.simnumber",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("number", "customer"), name="one_sim_conversation"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SimFault",
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
                            ("provider_down", "Provider Down"),
                            ("connection_reset", "Connection Reset"),
                            ("answer_lost", "Answer Lost"),
                            ("slow", "Slow"),
                            ("rate_limited", "Rate Limited"),
                            ("token_expired", "Token Expired"),
                            ("not_on_whatsapp", "Not On Whatsapp"),
                            ("window_closed", "Window Closed"),
                            ("duplicate_webhooks", "Duplicate Webhooks"),
                            ("out_of_order_statuses", "Out Of Order Statuses"),
                            ("phone_silent", "Phone Silent"),
                        ],
                        max_length=30,
                    ),
                ),
                ("times_left", models.PositiveIntegerField(blank=True, null=True)),
                ("seconds", models.FloatField(default=0)),
                ("is_late", models.BooleanField(default=False)),
                (
                    "number",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="simulator.simnumber",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SimWebhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("body", models.TextField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_attempt_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.TextField(blank=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "number",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="simulator.simnumber",
                    ),
                ),
                ("owner", models.CharField(blank=True, max_length=60)),
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
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["number", "id"],
                        name="sim_webhook_waiting",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SimMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wamid", models.CharField(max_length=200, unique=True)),
                ("from_customer", models.BooleanField()),
                ("type", models.CharField(max_length=30)),
                ("body", models.JSONField()),
                ("reply_to", models.CharField(blank=True, max_length=200)),
                ("callback", models.CharField(blank=True, max_length=512)),
                ("status", models.CharField(blank=True, max_length=20)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("sent_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="simulator.simconversation",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["conversation", "-id"], name="sim_message_by_chat")
                ],
            },
        ),
        migrations.CreateModel(
            name="SimTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("waba_id", models.CharField(max_length=50)),
                ("template_id", models.CharField(max_length=50)),
                ("row", models.JSONField()),
                ("verdict", models.CharField(max_length=20)),
                ("decided_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("is_deleted", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("waba_id", "template_id"), name="one_sim_template_per_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SimCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=100, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="SimGateway",
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
                ("calls", models.PositiveBigIntegerField(default=0)),
                ("wanted_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SimDevice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("session", models.PositiveBigIntegerField(unique=True)),
                ("epoch", models.PositiveBigIntegerField(blank=True, null=True)),
                ("token", models.CharField(blank=True, max_length=64)),
                ("code", models.CharField(blank=True, max_length=300)),
                ("pairing_code", models.CharField(blank=True, max_length=8)),
                ("link_number", models.CharField(blank=True, max_length=30)),
                ("codes_shown", models.PositiveIntegerField(default=0)),
                ("most_codes", models.PositiveIntegerField(default=5)),
                ("shown_at", models.DateTimeField(blank=True, null=True)),
                ("is_online", models.BooleanField(default=True)),
                (
                    "number",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="devices",
                        to="simulator.simnumber",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SimEvent",
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
                ("epoch", models.PositiveBigIntegerField(blank=True, null=True)),
                ("event", models.JSONField()),
                ("credentials", models.JSONField(blank=True, null=True)),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="simulator.simdevice",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["device", "id"],
                        name="sim_event_waiting",
                    )
                ],
            },
        ),
    ]
