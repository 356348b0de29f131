import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0002_retention"),
        ("tickets", "0014_message_age"),
    ]

    operations = [
        migrations.AlterField(
            model_name="message",
            name="company",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="companies.company",
            ),
        ),
        migrations.AlterField(
            model_name="message",
            name="media_state",
            field=models.CharField(
                blank=True,
                choices=[
                    ("fetching", "Fetching"),
                    ("ready", "Ready"),
                    ("failed", "Failed"),
                    ("expired", "Expired"),
                ],
                max_length=10,
            ),
        ),
    ]
