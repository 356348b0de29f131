from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0006_media_by_contact"),
    ]

    operations = [
        migrations.AlterField(
            model_name="message",
            name="source",
            field=models.CharField(
                choices=[
                    ("contact", "Contact"),
                    ("agent", "Agent"),
                    ("phone", "Phone"),
                    ("bot", "Bot"),
                    ("api", "Api"),
                    ("schedule", "Schedule"),
                ],
                default="contact",
                max_length=10,
            ),
        ),
    ]
