import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0004_bot_sessions"),
    ]

    operations = [
        migrations.RenameModel(old_name="IntegrationDelivery", new_name="IntegrationCall"),
        migrations.AlterModelOptions(name="integrationcall", options={}),
        migrations.AlterField(
            model_name="integrationcall",
            name="integration",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="calls",
                to="automation.queueintegration",
            ),
        ),
    ]
