import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("contacts", "0001_initial"),
        ("queues", "0003_queue_without_order"),
    ]

    operations = [
        migrations.AddField(
            model_name="queueoption",
            name="tag",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="contacts.tag",
            ),
        ),
    ]
