from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0018_snoozes"),
    ]

    operations = [
        migrations.AddField(
            model_name="ticketfollow",
            name="is_lasting",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
