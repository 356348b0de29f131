"""How long a cycle waited, was attended and went unanswered, kept by the database itself."""

from django.db import migrations, models

from apps.tickets.models.elapsed import Elapsed


class Migration(migrations.Migration):
    dependencies = [("tickets", "0031_known_rates")]

    operations = [
        migrations.RemoveIndex(
            model_name="trackingcycle",
            name="cycle_by_contact",
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="answer_microseconds",
            field=models.GeneratedField(
                db_persist=True,
                expression=Elapsed(models.F("first_answer_at"), models.F("queued_at")),
                output_field=models.BigIntegerField(null=True),
            ),
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="support_microseconds",
            field=models.GeneratedField(
                db_persist=True,
                expression=Elapsed(models.F("finished_at"), models.F("started_at")),
                output_field=models.BigIntegerField(null=True),
            ),
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="wait_microseconds",
            field=models.GeneratedField(
                db_persist=True,
                expression=Elapsed(models.F("started_at"), models.F("queued_at")),
                output_field=models.BigIntegerField(null=True),
            ),
        ),
        migrations.AddIndex(
            model_name="trackingcycle",
            index=models.Index(fields=["contact", "queued_at", "company"], name="cycle_of_contact"),
        ),
    ]
