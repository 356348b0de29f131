from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0019_lasting_follows"),
    ]

    operations = [
        migrations.AddField(
            model_name="trackingcycle",
            name="closing_reason",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
    ]
