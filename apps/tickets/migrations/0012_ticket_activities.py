import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0011_leases"),
    ]

    operations = [
        migrations.RenameModel(old_name="TicketEvent", new_name="TicketActivity"),
        migrations.AlterField(
            model_name="ticketactivity",
            name="ticket",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="activities",
                to="tickets.ticket",
            ),
        ),
    ]
