from django.db import migrations

# What a search for any part of a text needs on PostgreSQL; SQLite reads the rows.
INDEXES = {
    "message_search": "tickets_message",
    "contact_search": "contacts_contact",
}


def create_indexes(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, table in INDEXES.items():
        schema_editor.execute(
            f"CREATE INDEX IF NOT EXISTS {name} ON {table} USING gin (search_text gin_trgm_ops)"
        )


def drop_indexes(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    for name in INDEXES:
        schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("contacts", "0001_initial"),
        ("tickets", "0002_media_fetches"),
    ]

    operations = [migrations.RunPython(create_indexes, drop_indexes)]
