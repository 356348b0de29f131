import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0002_retention"),
        ("tickets", "0013_follow_answers"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["company", "created_at"], name="message_by_company_age"),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("media_state", "ready")),
                fields=["company", "created_at"],
                name="message_media_by_age",
            ),
        ),
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
