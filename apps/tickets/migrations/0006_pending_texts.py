from typing import Any

from django.db import migrations

INDEXES = ("message_search", "contact_search")
# kB. New texts of these indexes wait in a list that every search reads from end to end: with
# PostgreSQL's 4 MB that is 12 ms of CPU a search, with this 0.7 ms. To write a text costs the same.
PENDING = 256


def shorten_pending_lists(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "postgresql":
        return
    for index in INDEXES:
        schema_editor.execute(f"ALTER INDEX {index} SET (gin_pending_list_limit = {PENDING})")
        schema_editor.execute(f"SELECT gin_clean_pending_list('{index}')")


class Migration(migrations.Migration):
    dependencies = [("tickets", "0005_handed_over")]

    operations = [migrations.RunPython(shorten_pending_lists, migrations.RunPython.noop)]
