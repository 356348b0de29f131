from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0005_campaign_recipients_count"),
    ]

    operations = [
        migrations.AddField(
            model_name="optout",
            name="source",
            field=models.CharField(
                choices=[("word", "Word"), ("meta", "Meta")],
                db_default="word",
                default="word",
                max_length=4,
            ),
        ),
    ]
