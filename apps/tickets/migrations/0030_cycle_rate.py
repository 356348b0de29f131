"""What the dashboard reads of ratings, kept on their cycles."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tickets", "0029_dashboard")]

    operations = [
        migrations.AddField(
            model_name="trackingcycle",
            name="rate",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
