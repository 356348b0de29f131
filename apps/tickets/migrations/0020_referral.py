"""The advertisement or post by which somebody came."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tickets", "0019_qr_sessions")]

    operations = [
        migrations.AddField(
            model_name="ticket",
            name="referral",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
