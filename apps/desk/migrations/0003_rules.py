import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0002_retention"),
        ("desk", "0002_sla"),
        ("tickets", "0023_ticket_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tick",
            name="payload",
            field=models.JSONField(null=True),
        ),
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
                    ("rule", "rule"),
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
                    ("rule_event", "Rule Event"),
                    ("rule_time", "Rule Time"),
                    ("rule_sync", "Rule Sync"),
                    ("rule_day", "Rule Day"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Macro",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=80)),
                ("shortcut", models.CharField(blank=True, max_length=1)),
                ("actions", models.JSONField(default=list)),
                ("problem", models.CharField(blank=True, max_length=200)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="macros",
                        to="companies.company",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="macros",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
            },
        ),
        migrations.CreateModel(
            name="Rule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(blank=True, max_length=80)),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "when",
                    models.CharField(
                        choices=[
                            ("ticket_opened", "ticket_opened"),
                            ("message_in", "message_in"),
                            ("message_out", "message_out"),
                            ("tag_set", "tag_set"),
                            ("tag_taken", "tag_taken"),
                            ("queue_changed", "queue_changed"),
                            ("assigned", "assigned"),
                            ("resolved", "resolved"),
                            ("rated", "rated"),
                            ("lane_changed", "lane_changed"),
                            ("call_missed", "call_missed"),
                            ("invoice_overdue", "invoice_overdue"),
                            ("contact_silent", "contact_silent"),
                            ("we_silent", "we_silent"),
                            ("window_closes", "window_closes"),
                            ("sla_step", "sla_step"),
                        ],
                        max_length=20,
                    ),
                ),
                ("trigger", models.JSONField(default=dict)),
                ("condition", models.JSONField(blank=True, null=True)),
                ("actions", models.JSONField(default=list)),
                ("since", models.DateTimeField(blank=True, null=True)),
                ("problem", models.CharField(blank=True, max_length=200)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rules",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
            },
        ),
        migrations.CreateModel(
            name="RuleRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=80)),
                (
                    "when",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("ticket_opened", "ticket_opened"),
                            ("message_in", "message_in"),
                            ("message_out", "message_out"),
                            ("tag_set", "tag_set"),
                            ("tag_taken", "tag_taken"),
                            ("queue_changed", "queue_changed"),
                            ("assigned", "assigned"),
                            ("resolved", "resolved"),
                            ("rated", "rated"),
                            ("lane_changed", "lane_changed"),
                            ("call_missed", "call_missed"),
                            ("invoice_overdue", "invoice_overdue"),
                            ("contact_silent", "contact_silent"),
                            ("we_silent", "we_silent"),
                            ("window_closes", "window_closes"),
                            ("sla_step", "sla_step"),
                        ],
                        max_length=20,
                    ),
                ),
                ("actions", models.JSONField(default=list)),
                ("chain", models.JSONField(default=list)),
                ("anchor", models.CharField(blank=True, max_length=60)),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                ("refusal", models.CharField(blank=True, max_length=60)),
                ("sentence", models.CharField(blank=True, max_length=300)),
                ("can_undo", models.BooleanField(default=False)),
                ("undone_at", models.DateTimeField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "macro",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="runs",
                        to="desk.macro",
                    ),
                ),
                (
                    "rule",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="runs",
                        to="desk.rule",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
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
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="RuleTicket",
            fields=[
                (
                    "ticket",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tickets.ticket",
                    ),
                ),
                ("queue_id", models.BigIntegerField(null=True)),
                ("user_id", models.BigIntegerField(null=True)),
                ("status", models.CharField(max_length=10)),
                ("tags", models.JSONField(default=list)),
                ("lane_id", models.BigIntegerField(null=True)),
                ("our_word_at", models.DateTimeField(null=True)),
                ("unanswered_since", models.DateTimeField(null=True)),
                ("seen_until", models.DateTimeField(null=True)),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="rule",
            index=models.Index(
                condition=models.Q(("since__isnull", False)),
                fields=["company", "position", "id"],
                name="rule_that_is_on",
            ),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["company", "-id"], name="rule_run_of_company"),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["rule", "-id"], name="rule_run_of_rule"),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["ticket", "rule", "-id"], name="rule_run_of_ticket"),
        ),
        migrations.AddConstraint(
            model_name="rulerun",
            constraint=models.UniqueConstraint(
                condition=models.Q(models.Q(("anchor", ""), _negated=True), ("refusal", "")),
                fields=("rule", "ticket", "anchor"),
                name="one_run_per_moment",
            ),
        ),
        migrations.AddIndex(
            model_name="ruleticket",
            index=models.Index(fields=["company", "ticket"], name="rule_ticket_of_company"),
        ),
    ]
