"""What the dashboard reads of cycles, kept on them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("contacts", "0008_contact_pictures"),
        ("queues", "0006_option_file"),
        ("tickets", "0026_polls"),
    ]

    operations = [
        migrations.AddField(
            model_name="trackingcycle",
            name="contact",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="contacts.contact",
            ),
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="queue",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="queues.queue",
            ),
        ),
        migrations.AddField(
            model_name="trackingcycle",
            name="first_answer_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
