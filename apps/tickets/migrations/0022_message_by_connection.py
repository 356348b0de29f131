from django.db import migrations, models


def drop_narrower_index(apps, schema_editor):
    """Drop the foreign key's own index, which the wider one begins with.

    Not by AlterField: SQLite would copy the table for it, which may hold a million rows.
    """
    table = apps.get_model("tickets", "Message")._meta.db_table
    database = schema_editor.connection
    with database.cursor() as cursor:
        constraints = database.introspection.get_constraints(cursor, table)
    for name, found in constraints.items():
        is_plain = found["index"] and not found["unique"] and not found["foreign_key"]
        if is_plain and found["columns"] == ["connection_id"]:
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


class Migration(migrations.Migration):
    dependencies = [
        ("tickets", "0021_delivery_turns"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                fields=["connection", "from_me", "-created_at"], name="message_by_connection"
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(drop_narrower_index, migrations.RunPython.noop)
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="message",
                    name="connection",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.deletion.SET_NULL,
                        related_name="+",
                        to="connections.connection",
                    ),
                ),
            ],
        ),
    ]
