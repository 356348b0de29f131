from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0005_integration_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="integrationcall",
            name="reason_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=50),
        ),
        migrations.AddField(
            model_name="integrationcall",
            name="reason_detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
    ]
