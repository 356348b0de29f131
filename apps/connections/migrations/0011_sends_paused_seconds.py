from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0010_gateway_beats"),
    ]

    operations = [
        migrations.AddField(
            model_name="connection",
            name="sends_paused_seconds",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
