from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0020_closing_reason"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ticketdraft",
            name="text",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="ticketdraft",
            name="note",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
