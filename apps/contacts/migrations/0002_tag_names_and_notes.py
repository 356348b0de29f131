import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.search import fold


def fold_names(apps, schema_editor):
    """Fill the search text; a name taken before in the company gets its id behind it."""
    Tag = apps.get_model("contacts", "Tag")
    taken = set()
    for tag in Tag.objects.order_by("id"):
        if (tag.company_id, fold(tag.name)) in taken:
            tag.name = f"{tag.name[:80]} {tag.pk}"
        tag.search_text = fold(tag.name)
        taken.add((tag.company_id, tag.search_text))
        tag.save(update_fields=["name", "search_text"])


class Migration(migrations.Migration):
    dependencies = [
        ("contacts", "0001_initial"),
        ("tickets", "0005_client_ids"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tag",
            name="search_text",
            field=models.TextField(default="", editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
        migrations.AlterModelOptions(name="tag", options={"ordering": ["search_text", "id"]}),
        migrations.AddConstraint(
            model_name="tag",
            constraint=models.UniqueConstraint(
                fields=("company", "search_text"), name="one_tag_per_name"
            ),
        ),
        migrations.CreateModel(
            name="TicketNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("note", models.TextField()),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="contacts.contact",
                    ),
                ),
                (
                    "ticket",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="notes",
                        to="tickets.ticket",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-id"]},
        ),
    ]
