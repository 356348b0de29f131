from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0014_bot_pauses"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="reason_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=50),
        ),
        migrations.AddField(
            model_name="message",
            name="reason_detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
    ]
