from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0009_form_stops"),
    ]

    operations = [
        migrations.AddField(
            model_name="gatewayprocess",
            name="beaten_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
