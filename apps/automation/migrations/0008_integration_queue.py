import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0007_encrypted_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name="queueintegration",
            name="fallback_queue",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="queues.queue",
            ),
        ),
    ]
