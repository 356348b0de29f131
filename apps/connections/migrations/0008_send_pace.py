"""How fast a number sends; one that was there before is taken for warmed up."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0007_gateway_calls"),
    ]

    operations = [
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
        migrations.AddField(
            model_name="connection",
            name="send_jitter_seconds",
            field=models.PositiveIntegerField(db_default=2, default=2),
        ),
        migrations.AddField(
            model_name="connection",
            name="send_pause_seconds",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="connection",
            name="sends_per_second",
            field=models.PositiveIntegerField(db_default=80, default=80),
        ),
        migrations.AddField(
            model_name="connection",
            name="warmup_contacts",
            field=models.PositiveIntegerField(db_default=0, default=30),
        ),
        migrations.AddField(
            model_name="connection",
            name="warmup_days",
            field=models.PositiveIntegerField(db_default=14, default=14),
        ),
        migrations.AddField(
            model_name="connection",
            name="warmup_growth",
            field=models.PositiveIntegerField(db_default=20, default=20),
        ),
    ]
