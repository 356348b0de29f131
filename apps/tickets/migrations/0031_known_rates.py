from typing import Any

from django.db import migrations
from django.db.models import Exists, Max, Min, OuterRef, Subquery

BATCH = 20_000


def fill(apps: Any, schema_editor: Any) -> None:
    """Give each cycle that was rated its rate, in batches."""
    ratings = apps.get_model("tickets", "Rating").objects.order_by()
    cycles = apps.get_model("tickets", "TrackingCycle").objects.order_by()
    given = ratings.filter(cycle_id=OuterRef("pk"))
    ends = ratings.aggregate(first=Min("cycle_id"), last=Max("cycle_id"))
    if ends["first"] is None:
        return
    for start in range(ends["first"], ends["last"] + 1, BATCH):
        batch = cycles.filter(pk__gte=start, pk__lt=start + BATCH, rate__isnull=True)
        batch.filter(Exists(given)).update(rate=Subquery(given.values("rate")[:1]))


class Migration(migrations.Migration):
    # Each batch is committed by itself; what was filled in already is not touched by another run.
    atomic = False
    dependencies = [("tickets", "0030_cycle_rate")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
