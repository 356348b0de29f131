"""Which conversation goes first where not all can go at once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0008_send_pace"),
        ("tickets", "0020_referral"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="turn",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "Person"), (1, "Answer"), (2, "Rest")], db_default=2, default=2
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state__in", ["done", "failed"]), _negated=True),
                fields=["turn", "id"],
                name="delivery_by_turn",
            ),
        ),
    ]
