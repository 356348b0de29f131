from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0003_bot_fallback"),
    ]

    operations = [
        migrations.AddField(
            model_name="connection",
            name="reason_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=50),
        ),
        migrations.AddField(
            model_name="connection",
            name="reason_detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
    ]
