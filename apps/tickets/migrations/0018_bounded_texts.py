from typing import Any

from django.db import migrations
from django.db.models import Max, Min, TextField
from django.db.models.functions import Cast, Left, Length

# What is kept of a customer's text and of a list's line since their bounds exist; longer ones that
# were stored before hung the browsers that were sent them.
LONGEST_TEXT = 65_536
LONGEST_PREVIEW = 500
BATCH = 20_000


def cut_long_texts(apps: Any, schema_editor: Any) -> None:
    """Cut what is longer, in batches that hold no other work up."""
    messages = apps.get_model("tickets", "Message").objects.order_by()
    for batch in _batches(messages):
        for name in ("body", "search_text"):
            _cut(batch, name, LONGEST_TEXT)
        # Half a structure says nothing, so that it goes whole.
        large = (
            batch.filter(data__isnull=False)
            .annotate(size=Length(Cast("data", TextField())))
            .filter(size__gt=LONGEST_TEXT)
        )
        for pk, is_forwarded in list(large.values_list("pk", "data__forwarded")):
            kept = {"forwarded": True} if is_forwarded is True else None
            messages.filter(pk=pk).update(data=kept)
    for batch in _batches(apps.get_model("tickets", "Ticket").objects.order_by()):
        _cut(batch, "last_message", LONGEST_PREVIEW)


def _batches(rows: Any) -> Any:
    ends = rows.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is not None:
        for start in range(ends["first"], ends["last"] + 1, BATCH):
            yield rows.filter(pk__gte=start, pk__lt=start + BATCH)


def _cut(rows: Any, name: str, most: int) -> None:
    rows.annotate(size=Length(name)).filter(size__gt=most).update(**{name: Left(name, most)})


class Migration(migrations.Migration):
    # Each batch is committed by itself; what was cut already is not touched by another run.
    atomic = False
    dependencies = [
        ("tickets", "0017_board_index"),
    ]

    operations = [
        migrations.RunPython(cut_long_texts, migrations.RunPython.noop, elidable=True),
    ]
