from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

known = import_module("apps.tickets.migrations.0028_known_cycles")


def fill_rest(apps: Any, schema_editor: Any) -> None:
    """Do the same for what an older process, if one was still at work, has made since."""
    if schema_editor.connection.vendor == "postgresql":
        # Else the changed rows wait for their check, and their table cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    known.fill(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tickets", "0028_known_cycles")]

    operations = [
        migrations.RunPython(fill_rest, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="trackingcycle",
            name="contact",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="contacts.contact",
            ),
        ),
        migrations.AddIndex(
            model_name="trackingcycle",
            index=models.Index(fields=["contact", "queued_at"], name="cycle_by_contact"),
        ),
        migrations.AddIndex(
            model_name="trackingcycle",
            index=models.Index(
                condition=models.Q(("finished_at__isnull", True), ("started_at__isnull", True)),
                fields=["company", "queued_at"],
                name="cycle_waiting",
            ),
        ),
    ]
