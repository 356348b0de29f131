from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0021_note_drafts"),
    ]

    operations = [
        migrations.AddField(
            model_name="ticket",
            name="sla_due_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ticket",
            name="sla_warns_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
