from typing import Any

from django.db import migrations
from django.db.models import Max, Min, OuterRef, Subquery

BATCH = 20_000


def fill(apps: Any, schema_editor: Any) -> None:
    """Give each cycle its contact, a finished one its queue and first answer too, in batches."""
    tickets = apps.get_model("tickets", "Ticket").objects.filter(pk=OuterRef("ticket_id"))
    written = apps.get_model("tickets", "Message").objects.filter(
        ticket_id=OuterRef("ticket_id"),
        from_me=True,
        source__in=("agent", "phone"),
        created_at__gte=OuterRef("queued_at"),
        created_at__lte=OuterRef("finished_at"),
    )
    cycles = apps.get_model("tickets", "TrackingCycle").objects.order_by()
    unknown = cycles.filter(contact_id__isnull=True)
    ends = unknown.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return
    for start in range(ends["first"], ends["last"] + 1, BATCH):
        batch = unknown.filter(pk__gte=start, pk__lt=start + BATCH)
        batch.filter(finished_at__isnull=False).update(
            queue_id=Subquery(tickets.values("queue_id")[:1]),
            first_answer_at=Subquery(written.order_by("created_at").values("created_at")[:1]),
        )
        # At last, for it says that a cycle is done with.
        batch.update(contact_id=Subquery(tickets.values("contact_id")[:1]))


class Migration(migrations.Migration):
    # Each batch is committed by itself; what was filled in already is not touched by another run.
    atomic = False
    dependencies = [("tickets", "0027_cycle_facts")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
