"""What people choose to be called at WhatsApp; and user ids are found by a search."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contacts", "0003_contact_by_key")]

    operations = [
        migrations.AddField(
            model_name="contact",
            name="username",
            field=models.CharField(blank=True, default="", max_length=100),
        ),
        migrations.RunSQL(
            "UPDATE contacts_contact SET search_text = search_text || ' ' || LOWER(lid)"
            " WHERE lid IS NOT NULL",
            migrations.RunSQL.noop,
        ),
    ]
