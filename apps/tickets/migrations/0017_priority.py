from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0002_version_1"),
        ("companies", "0001_version_1"),
        ("connections", "0005_direct_send"),
        ("contacts", "0004_contactimport_layout"),
        ("queues", "0002_version_1"),
        ("tickets", "0016_notes"),
    ]

    operations = [
        migrations.AddField(
            model_name="ticket",
            name="priority",
            field=models.PositiveSmallIntegerField(
                choices=[(1, "Urgent"), (2, "High"), (3, "Normal"), (4, "Low")],
                db_default=3,
                default=3,
            ),
        ),
        migrations.AlterField(
            model_name="ticketactivity",
            name="kind",
            field=models.CharField(
                choices=[
                    ("accepted", "Accepted"),
                    ("returned", "Returned"),
                    ("resolved", "Resolved"),
                    ("reopened", "Reopened"),
                    ("transferred", "Transferred"),
                    ("queued", "Queued"),
                    ("bot_ended", "Bot Ended"),
                    ("rated", "Rated"),
                    ("expired", "Expired"),
                    ("renumbered", "Renumbered"),
                    ("control_passed", "Control Passed"),
                    ("control_taken", "Control Taken"),
                    ("took_control", "Took Control"),
                    ("gave_control", "Gave Control"),
                    ("noted", "Noted"),
                    ("prioritized", "Prioritized"),
                ],
                max_length=20,
            ),
        ),
    ]
