from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0006_qr_sessions"),
    ]

    operations = [
        migrations.AddField(
            model_name="gatewayprocess",
            name="calls",
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
