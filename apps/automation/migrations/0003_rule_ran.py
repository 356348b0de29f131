from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0002_version_1"),
    ]

    operations = [
        migrations.AlterField(
            model_name="webhookdelivery",
            name="event",
            field=models.CharField(
                choices=[
                    ("message.received", "Message Received"),
                    ("message.sent", "Message Sent"),
                    ("message.acked", "Message Acked"),
                    ("ticket.opened", "Ticket Opened"),
                    ("ticket.closed", "Ticket Closed"),
                    ("ticket.rated", "Ticket Rated"),
                    ("contact.created", "Contact Created"),
                    ("rule.ran", "Rule Ran"),
                ],
                max_length=20,
            ),
        ),
    ]
