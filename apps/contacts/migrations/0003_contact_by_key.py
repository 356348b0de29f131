from django.db import migrations, models

import apps.contacts.models


class Migration(migrations.Migration):
    dependencies = [("contacts", "0002_tag_names_and_notes")]

    operations = [
        migrations.RemoveIndex(model_name="contact", name="contact_by_name"),
        migrations.AddIndex(
            model_name="contact",
            index=models.Index(
                models.F("company"),
                apps.contacts.models.NameKey("search_text"),
                models.F("id"),
                name="contact_by_key",
            ),
        ),
    ]
