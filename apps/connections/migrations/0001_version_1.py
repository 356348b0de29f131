import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import apps.common.encryption


class Migration(migrations.Migration):
    replaces = [
        ("connections", "0001_initial"),
        ("connections", "0002_template_media"),
        ("connections", "0003_bot_fallback"),
        ("connections", "0004_reasons"),
        ("connections", "0005_verified_numbers"),
        ("connections", "0006_qr_sessions"),
        ("connections", "0007_gateway_calls"),
        ("connections", "0008_send_pace"),
        ("connections", "0009_figures"),
        ("connections", "0010_embedded_signup"),
        ("connections", "0011_signups"),
        ("connections", "0012_phone_syncs"),
        ("connections", "0013_alert_ends"),
        ("connections", "0014_qr_farewells"),
        ("connections", "0015_state_writes"),
        ("connections", "0016_renewed_header_files"),
    ]

    initial = True

    dependencies = [
        ("automation", "0001_version_1"),
        ("companies", "0001_version_1"),
        ("queues", "0001_version_1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Connection",
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
                ("number", models.CharField(blank=True, max_length=30)),
                (
                    "provider",
                    models.CharField(
                        choices=[("beta", "QR Code"), ("official", "API oficial")],
                        default="beta",
                        max_length=10,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("CONNECTED", "Connected"),
                            ("qrcode", "Qrcode"),
                            ("PAIRING", "Pairing"),
                            ("DISCONNECTED", "Disconnected"),
                            ("TIMEOUT", "Timeout"),
                            ("OPENING", "Opening"),
                        ],
                        default="DISCONNECTED",
                        max_length=15,
                    ),
                ),
                ("status_reason", models.CharField(blank=True, max_length=500)),
                ("is_default", models.BooleanField(default=False)),
                ("qrcode", models.TextField(blank=True)),
                ("retries", models.PositiveIntegerField(default=0)),
                ("phone_number_id", models.CharField(blank=True, max_length=50, null=True)),
                ("waba_id", models.CharField(blank=True, max_length=50)),
                ("access_token", apps.common.encryption.EncryptedTextField(blank=True)),
                ("token_hash", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("sends_paused_until", models.DateTimeField(blank=True, null=True)),
                ("greeting_message", models.TextField(blank=True)),
                ("completion_message", models.TextField(blank=True)),
                ("out_of_hours_message", models.TextField(blank=True)),
                ("rating_message", models.TextField(blank=True)),
                ("minutes_to_transfer", models.PositiveIntegerField(default=0)),
                ("transfer_keyword", models.CharField(blank=True, max_length=200)),
                ("ticket_expires_minutes", models.PositiveIntegerField(default=0)),
                ("inactive_message", models.TextField(blank=True)),
                ("bot_interval_minutes", models.PositiveIntegerField(default=0)),
                ("bot_max_menus", models.PositiveIntegerField(default=3)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connections",
                        to="companies.company",
                    ),
                ),
                (
                    "integration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="connections",
                        to="automation.queueintegration",
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
                    "transfer_keyword_queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                (
                    "transfer_queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                ("bot_quiet_seconds", models.PositiveIntegerField(default=3)),
                (
                    "fallback_message",
                    models.TextField(default="Vou chamar alguém da equipe. Um momento, por favor."),
                ),
                ("integration_silence_minutes", models.PositiveIntegerField(default=10)),
                (
                    "reason_code",
                    models.CharField(blank=True, db_default="", default="", max_length=50),
                ),
                (
                    "reason_detail",
                    models.CharField(blank=True, db_default="", default="", max_length=300),
                ),
                ("verified_at", models.DateTimeField(blank=True, null=True)),
                (
                    "pairing_code",
                    models.CharField(blank=True, db_default="", default="", max_length=20),
                ),
                ("send_jitter_seconds", models.PositiveIntegerField(db_default=2, default=2)),
                ("send_pause_seconds", models.PositiveIntegerField(db_default=1, default=1)),
                ("sends_per_second", models.PositiveIntegerField(db_default=80, default=80)),
                ("warmup_contacts", models.PositiveIntegerField(db_default=0, default=30)),
                ("warmup_days", models.PositiveIntegerField(db_default=14, default=14)),
                ("warmup_growth", models.PositiveIntegerField(db_default=20, default=20)),
                ("alerts", models.JSONField(blank=True, null=True)),
                ("figures_asked_at", models.DateTimeField(blank=True, null=True)),
                ("messaging_limit", models.IntegerField(blank=True, null=True)),
                ("messaging_limit_at", models.DateTimeField(blank=True, null=True)),
                ("quality_at", models.DateTimeField(blank=True, null=True)),
                (
                    "quality_rating",
                    models.CharField(blank=True, db_default="", default="", max_length=10),
                ),
                ("is_coexistence", models.BooleanField(db_default=False, default=False)),
                ("signed_up_at", models.DateTimeField(blank=True, null=True)),
                ("alerts_end_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_default", True)),
                        fields=("company",),
                        name="one_default_connection",
                    ),
                    models.UniqueConstraint(
                        fields=("company", "name"), name="one_connection_per_name"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("verified_at__isnull", False)),
                        fields=("phone_number_id",),
                        name="one_owner_per_number",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ConnectionQueue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="connections.connection"
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="queues.queue"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "queue"), name="connection_leads_to_queue_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="connection",
            name="queues",
            field=models.ManyToManyField(
                blank=True,
                related_name="connections",
                through="connections.ConnectionQueue",
                to="queues.queue",
            ),
        ),
        migrations.CreateModel(
            name="TemplateMedia",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("media_id", models.CharField(max_length=100)),
                ("path", models.CharField(max_length=300)),
                ("name", models.CharField(max_length=255)),
                ("mime", models.CharField(max_length=150)),
                ("size", models.PositiveBigIntegerField()),
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
                        related_name="template_media",
                        to="connections.connection",
                    ),
                ),
                ("renewed_at", models.DateTimeField(blank=True, null=True)),
                ("renewed_id", models.CharField(blank=True, default="", max_length=100)),
            ],
            options={
                "verbose_name_plural": "template media",
                "indexes": [models.Index(fields=["created_at"], name="template_media_by_age")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "media_id"), name="one_template_media_per_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OperatorAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("waba_id", models.CharField(max_length=50, verbose_name="account (waba_id)")),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "waba_id"), name="operator_account_once_per_company"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GatewayProcess",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("address", models.CharField(max_length=200)),
                ("room", models.PositiveIntegerField(default=0)),
                ("seen_at", models.DateTimeField()),
                ("calls", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["seen_at"], name="gateway_by_sight")],
            },
        ),
        migrations.CreateModel(
            name="QrSession",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "wanted",
                    models.CharField(
                        choices=[("run", "Run"), ("stop", "Stop"), ("logout", "Logout")],
                        default="stop",
                        max_length=10,
                    ),
                ),
                ("gateway", models.CharField(blank=True, max_length=100)),
                ("address", models.CharField(blank=True, max_length=200)),
                ("epoch", models.PositiveBigIntegerField(default=0)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("credentials", apps.common.encryption.EncryptedTextField(blank=True)),
                ("link_number", models.CharField(blank=True, max_length=30)),
                (
                    "connection",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="qr_session",
                        to="connections.connection",
                    ),
                ),
                ("writes", models.PositiveBigIntegerField(db_default=0, default=0)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["gateway"], name="session_by_gateway"),
                    models.Index(fields=["wanted", "expires_at"], name="session_by_lease"),
                ],
            },
        ),
        migrations.CreateModel(
            name="QrAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=100)),
                ("number", models.CharField(blank=True, max_length=30)),
                ("lid", models.CharField(blank=True, max_length=100)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("is_saved", models.BooleanField(default=False)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="addresses",
                        to="connections.qrsession",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "QR addresses",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "key"), name="one_qr_address_per_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QrSessionKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("type", models.CharField(max_length=50)),
                ("name", models.CharField(max_length=200)),
                ("value", apps.common.encryption.EncryptedTextField()),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="keys",
                        to="connections.qrsession",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "type", "name"), name="one_session_key_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SendPace",
            fields=[
                (
                    "connection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pace",
                        serialize=False,
                        to="connections.connection",
                    ),
                ),
                ("people_from", models.BigIntegerField(default=0)),
                ("others_from", models.BigIntegerField(default=0)),
                ("number", models.CharField(blank=True, max_length=30)),
                ("first_date", models.DateField(blank=True, null=True)),
                ("day_ends_at", models.DateTimeField(blank=True, null=True)),
                ("day_ceiling", models.PositiveIntegerField(default=0)),
                ("day_contacts", models.JSONField(default=list)),
            ],
            options={
                "verbose_name_plural": "send paces",
            },
        ),
        migrations.CreateModel(
            name="Signup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code_hash", models.CharField(max_length=64)),
                ("access_token", apps.common.encryption.EncryptedTextField(blank=True)),
                ("pin", apps.common.encryption.EncryptedTextField(blank=True)),
                ("busy_until", models.DateTimeField(blank=True, null=True)),
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
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="signup_by_age")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "code_hash"), name="one_signup_per_code"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PhoneSync",
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
                    "kind",
                    models.CharField(
                        choices=[("contacts", "Contacts"), ("history", "History")], max_length=10
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("unclear", "Unclear"),
                            ("asked", "Asked"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("declined", "Declined"),
                            ("failed", "Failed"),
                            ("expired", "Expired"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("request_id", models.CharField(blank=True, max_length=200)),
                ("asked_at", models.DateTimeField(blank=True, null=True)),
                ("phase", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("progress", models.PositiveSmallIntegerField(default=0)),
                ("received_count", models.PositiveIntegerField(default=0)),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("received_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("reason_code", models.CharField(blank=True, max_length=50)),
                ("reason_detail", models.CharField(blank=True, max_length=300)),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phone_syncs",
                        to="connections.connection",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                        fields=["id"],
                        name="phone_sync_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("connection", "kind"), name="one_phone_sync_per_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QrFarewell",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("credentials", apps.common.encryption.EncryptedTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("due_at", models.DateTimeField(blank=True, db_index=True, null=True)),
            ],
        ),
    ]
