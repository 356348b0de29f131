from django.db import migrations, models

from apps.common.search import fold

BATCH = 1000
LENGTH = 200


def fold_fields(apps, schema_editor):
    """Fill the folded texts of the lines that are there, some at a time."""
    ContactField = apps.get_model("contacts", "ContactField")
    last = 0
    while batch := list(ContactField.objects.filter(pk__gt=last).order_by("pk")[:BATCH]):
        for line in batch:
            line.folded_name = fold(line.name)[:LENGTH]
            line.folded_value = fold(line.value)[:LENGTH]
        ContactField.objects.bulk_update(batch, ["folded_name", "folded_value"])
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [
        ("contacts", "0006_long_user_ids"),
    ]

    operations = [
        migrations.AddField(
            model_name="contactfield",
            name="folded_name",
            field=models.CharField(db_default="", default="", editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name="contactfield",
            name="folded_value",
            field=models.CharField(db_default="", default="", editable=False, max_length=200),
        ),
        migrations.RunPython(fold_fields, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="contactfield",
            index=models.Index(
                fields=["folded_name", "folded_value", "contact"], name="contact_field_by_text"
            ),
        ),
    ]
