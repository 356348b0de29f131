from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0005_client_ids"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("media_state", "ready")),
                fields=["contact", "-id"],
                name="message_media_by_contact",
            ),
        ),
    ]
