"""Invoices that nobody is to pay any more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0003_recurrence_bought")]

    operations = [
        migrations.AlterField(
            model_name="invoice",
            name="status",
            field=models.CharField(
                choices=[("open", "Em aberto"), ("paid", "Paga"), ("cancelled", "Cancelada")],
                default="open",
                max_length=10,
            ),
        ),
    ]
