import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("companies", "0001_version_1"),
        ("contacts", "0004_contactimport_layout"),
        ("queues", "0004_asks_together"),
        ("tickets", "0021_note_drafts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AssignmentPolicy",
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
                    "mode",
                    models.CharField(
                        choices=[
                            ("manual", "manual"),
                            ("round_robin", "round_robin"),
                            ("least_busy", "least_busy"),
                        ],
                        default="manual",
                        max_length=20,
                    ),
                ),
                (
                    "order",
                    models.CharField(
                        choices=[("longest_waiting", "longest_waiting"), ("oldest", "oldest")],
                        default="longest_waiting",
                        max_length=20,
                    ),
                ),
                (
                    "sticky",
                    models.CharField(
                        choices=[("off", "off"), ("same_queue", "same_queue"), ("any", "any")],
                        default="off",
                        max_length=20,
                    ),
                ),
                ("sticky_days", models.PositiveSmallIntegerField(default=30)),
                ("sticky_wait_minutes", models.PositiveSmallIntegerField(default=0)),
                ("return_minutes", models.PositiveSmallIntegerField(default=0)),
                (
                    "return_to",
                    models.CharField(
                        choices=[
                            ("next", "next"),
                            ("queue", "queue"),
                            ("supervisors", "supervisors"),
                        ],
                        default="next",
                        max_length=20,
                    ),
                ),
                ("max_returns", models.PositiveSmallIntegerField(default=3)),
                (
                    "offline_action",
                    models.CharField(
                        choices=[("keep", "keep"), ("return", "return")],
                        default="keep",
                        max_length=20,
                    ),
                ),
                ("grace_minutes", models.PositiveSmallIntegerField(default=5)),
                ("fair_limit", models.PositiveSmallIntegerField(default=100)),
                ("fair_window_minutes", models.PositiveSmallIntegerField(default=60)),
                ("release_minutes", models.PositiveSmallIntegerField(default=10)),
                ("manual_accept", models.BooleanField(default=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "queue",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignment_policy",
                        to="queues.queue",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="PauseReason",
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
                ("minutes", models.PositiveSmallIntegerField(default=15)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pause_reasons",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "name"), name="one_pause_reason_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "presence",
                    models.CharField(
                        choices=[
                            ("online", "online"),
                            ("paused", "paused"),
                            ("offline", "offline"),
                        ],
                        default="offline",
                        max_length=10,
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("reason", models.CharField(blank=True, max_length=50)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("is_away", models.BooleanField(default=True)),
                ("seen_until", models.DateTimeField(blank=True, null=True)),
                ("capacity", models.PositiveSmallIntegerField(default=0)),
                ("whatsapp_weight", models.PositiveSmallIntegerField(default=1)),
                ("call_weight", models.PositiveSmallIntegerField(default=3)),
                ("schedules", models.JSONField(default=list)),
                ("load", models.IntegerField(default=0)),
                ("day", models.DateField(blank=True, null=True)),
                ("given_count", models.PositiveIntegerField(default=0)),
                ("resolved_count", models.PositiveIntegerField(default=0)),
                ("returned_count", models.PositiveIntegerField(default=0)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                ("skills", models.ManyToManyField(blank=True, related_name="+", to="contacts.tag")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seat",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["company", "presence"], name="seat_by_presence")]
            },
        ),
        migrations.CreateModel(
            name="PresencePeriod",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "presence",
                    models.CharField(
                        choices=[
                            ("online", "online"),
                            ("paused", "paused"),
                            ("offline", "offline"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=50)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["started_at", "id"],
                "indexes": [
                    models.Index(fields=["user", "started_at"], name="presence_by_user"),
                    models.Index(fields=["company", "started_at"], name="presence_by_company"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("user",),
                        name="one_present_presence_per_user",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "ticket",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="assignment",
                        serialize=False,
                        to="tickets.ticket",
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("whatsapp", "whatsapp"), ("call", "call")],
                        default="whatsapp",
                        max_length=10,
                    ),
                ),
                ("points", models.PositiveSmallIntegerField(default=0)),
                ("is_ready", models.BooleanField(default=False)),
                ("since", models.DateTimeField()),
                ("opened_at", models.DateTimeField()),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "Urgent"), (2, "High"), (3, "Normal"), (4, "Low")], default=3
                    ),
                ),
                ("prefers_until", models.DateTimeField(blank=True, null=True)),
                ("returned_by", models.JSONField(default=list)),
                ("returns", models.PositiveSmallIntegerField(default=0)),
                (
                    "aside",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("next", "next"),
                            ("queue", "queue"),
                            ("supervisors", "supervisors"),
                        ],
                        max_length=20,
                    ),
                ),
                ("given_at", models.DateTimeField(blank=True, null=True)),
                ("unanswered_since", models.DateTimeField(blank=True, null=True)),
                ("our_word_at", models.DateTimeField(blank=True, null=True)),
                ("is_apart", models.BooleanField(default=False)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "prefers",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                        condition=models.Q(("is_ready", True)),
                        fields=["queue", "priority", "since", "ticket"],
                        name="assignment_longest_waiting",
                    ),
                    models.Index(
                        condition=models.Q(("is_ready", True)),
                        fields=["queue", "priority", "opened_at", "ticket"],
                        name="assignment_oldest",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("is_apart", False), ("unanswered_since__isnull", False)
                        ),
                        fields=["user", "unanswered_since"],
                        name="assignment_unanswered",
                    ),
                    models.Index(
                        condition=models.Q(("aside", "supervisors")),
                        fields=["company", "since"],
                        name="assignment_for_supervisors",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="AssignmentLog",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("turn", "turn"),
                            ("least_busy", "least_busy"),
                            ("sticky", "sticky"),
                            ("unanswered", "unanswered"),
                            ("offline", "offline"),
                            ("supervisor", "supervisor"),
                            ("by_hand", "by_hand"),
                        ],
                        max_length=20,
                    ),
                ),
                ("number", models.PositiveIntegerField(blank=True, null=True)),
                ("at", models.DateTimeField()),
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
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "from_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignment_log",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "to_user",
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
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("number__isnull", False)),
                        fields=("queue", "to_user", "number"),
                        name="one_assignment_per_number",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                ("last", models.BigIntegerField(default=0)),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("queue", "user"), name="one_turn")]
            },
        ),
        migrations.CreateModel(
            name="Tick",
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
                        choices=[
                            ("give", "Give"),
                            ("give_later", "Give Later"),
                            ("return", "Return"),
                            ("release", "Release"),
                            ("seen", "Seen"),
                            ("pause", "Pause"),
                            ("leave", "Leave"),
                            ("sync", "Sync"),
                        ],
                        max_length=10,
                    ),
                ),
                ("key", models.CharField(max_length=40, null=True, unique=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
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
                        name="tick_due",
                    )
                ]
            },
        ),
    ]
