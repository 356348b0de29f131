"""Gives the prices over to costs, which keeps their table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0006_service_price"),
        ("costs", "0001_message_prices"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="MessagePrice")],
        ),
    ]
