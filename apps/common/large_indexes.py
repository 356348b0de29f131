"""Migrations of tables that may have millions of rows."""

from typing import Any

from django.db import migrations


class AddLargeIndex(migrations.AddIndex):
    """Adds an index while others go on writing to the table; its migration has `atomic = False`.

    PostgreSQL builds it with CONCURRENTLY, which no transaction may surround. What a killed build
    left behind is dropped first, so that the migration can be run again.
    """

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Drop an index of this name, if there is one, and build it."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        is_postgres = schema_editor.connection.vendor == "postgresql"
        beside = " CONCURRENTLY" if is_postgres else ""
        name = schema_editor.quote_name(self.index.name)
        schema_editor.execute(f"DROP INDEX{beside} IF EXISTS {name}")
        options = {"concurrently": True} if is_postgres else {}
        schema_editor.add_index(model, self.index, **options)
