from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("schedules", "0002_leases"),
    ]

    operations = [
        migrations.AddField(
            model_name="schedule",
            name="reason_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=50),
        ),
        migrations.AddField(
            model_name="schedule",
            name="reason_detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
    ]
