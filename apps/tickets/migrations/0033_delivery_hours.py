"""Until when a message may leave that is not to go at any hour."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tickets", "0032_cycle_durations")]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="leaves_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
