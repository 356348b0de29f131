from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("queues", "0004_asks_together"),
    ]

    operations = [
        migrations.AddField(
            model_name="queue",
            name="asks_transfer_note",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
