import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0001_version_1"),
        ("contacts", "0004_contactimport_layout"),
        ("desk", "0001_assignment"),
        ("queues", "0004_asks_together"),
        ("tickets", "0022_sla_deadline"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="assignmentlog",
            name="why",
            field=models.CharField(
                choices=[
                    ("turn", "turn"),
                    ("least_busy", "least_busy"),
                    ("sticky", "sticky"),
                    ("unanswered", "unanswered"),
                    ("offline", "offline"),
                    ("sla", "sla"),
                    ("supervisor", "supervisor"),
                    ("by_hand", "by_hand"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="tick",
            name="kind",
            field=models.CharField(
                choices=[
                    ("give", "Give"),
                    ("give_later", "Give Later"),
                    ("return", "Return"),
                    ("release", "Release"),
                    ("seen", "Seen"),
                    ("pause", "Pause"),
                    ("leave", "Leave"),
                    ("sync", "Sync"),
                    ("sla", "Sla"),
                    ("sla_sync", "Sla Sync"),
                    ("sla_hours", "Sla Hours"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="SlaPolicy",
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
                    "priority",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        choices=[(1, "Urgent"), (2, "High"), (3, "Normal"), (4, "Low")],
                        null=True,
                    ),
                ),
                ("first_answer_minutes", models.PositiveIntegerField(blank=True, null=True)),
                ("next_answer_minutes", models.PositiveIntegerField(blank=True, null=True)),
                ("resolution_minutes", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sla_policies",
                        to="companies.company",
                    ),
                ),
                (
                    "queue",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sla_policy",
                        to="queues.queue",
                    ),
                ),
                (
                    "tag",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sla_policy",
                        to="contacts.tag",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("priority__isnull", False)),
                        fields=("company", "priority"),
                        name="one_sla_per_priority",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("priority", None), ("queue__isnull", False), ("tag", None)),
                            models.Q(("priority", None), ("queue", None), ("tag__isnull", False)),
                            models.Q(("priority__isnull", False), ("queue", None), ("tag", None)),
                            _connector="OR",
                        ),
                        name="sla_is_for_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SlaStep",
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
                            ("first_answer", "first_answer"),
                            ("next_answer", "next_answer"),
                            ("resolution", "resolution"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "when",
                    models.CharField(
                        choices=[("quarter", "quarter"), ("due", "due"), ("after", "after")],
                        max_length=10,
                    ),
                ),
                ("minutes", models.PositiveIntegerField(default=0)),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("tell", "tell"),
                            ("tag", "tag"),
                            ("priority", "priority"),
                            ("queue", "queue"),
                            ("assign", "assign"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "tells",
                    models.CharField(
                        blank=True,
                        choices=[("holder", "holder"), ("supervisors", "supervisors")],
                        max_length=20,
                    ),
                ),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        choices=[(1, "Urgent"), (2, "High"), (3, "Normal"), (4, "Low")],
                        null=True,
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="desk.slapolicy",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="queues.queue",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contacts.tag",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.CreateModel(
            name="SlaClock",
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
                            ("first_answer", "first_answer"),
                            ("next_answer", "next_answer"),
                            ("resolution", "resolution"),
                        ],
                        max_length=20,
                    ),
                ),
                ("minutes", models.PositiveIntegerField()),
                ("started_at", models.DateTimeField()),
                ("runs_from", models.DateTimeField(null=True)),
                ("left_seconds", models.FloatField()),
                ("due_at", models.DateTimeField(null=True)),
                ("warns_at", models.DateTimeField(null=True)),
                ("paused_at", models.DateTimeField(null=True)),
                ("paused_seconds", models.PositiveIntegerField(default=0)),
                ("met_at", models.DateTimeField(null=True)),
                ("missed_at", models.DateTimeField(null=True)),
                ("judged_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
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
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tickets.trackingcycle",
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="desk.slapolicy",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
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
                        related_name="sla_clocks",
                        to="tickets.ticket",
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
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("judged_at__isnull", False)),
                        fields=["company", "judged_at"],
                        name="sla_clock_judged",
                    ),
                    models.Index(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=["company", "ticket"],
                        name="sla_clock_open",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("ticket", "kind"),
                        name="one_open_clock_of_a_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SlaFiring",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("tell", "tell"),
                            ("tag", "tag"),
                            ("priority", "priority"),
                            ("queue", "queue"),
                            ("assign", "assign"),
                        ],
                        max_length=10,
                    ),
                ),
                ("refusal", models.CharField(blank=True, max_length=60)),
                ("at", models.DateTimeField()),
                (
                    "clock",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="firings",
                        to="desk.slaclock",
                    ),
                ),
                (
                    "step",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="firings",
                        to="desk.slastep",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("clock", "step"), name="one_firing")
                ],
            },
        ),
    ]
