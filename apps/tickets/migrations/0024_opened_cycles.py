from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tickets", "0023_ticket_indexes")]

    operations = [
        migrations.AddField(
            model_name="trackingcycle",
            name="opened_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
