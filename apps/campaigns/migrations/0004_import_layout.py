from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0003_remember_sent_campaigns"),
    ]

    operations = [
        migrations.AddField(
            model_name="contactlistimport",
            name="layout",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
