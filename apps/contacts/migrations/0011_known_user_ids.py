"""Meta's user ids, which stood in one column with WhatsApp's LIDs, in a column of their own."""

import re
from typing import Any

from django.db import migrations
from django.db.models import F, Max, Min

FORM = r"[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]+"
BATCH = 20_000


def part(apps: Any, schema_editor: Any) -> None:
    """Move the user ids of contacts, in batches that hold no other work up."""
    contacts = apps.get_model("contacts", "Contact").objects.order_by()
    ends = contacts.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is not None:
        for start in range(ends["first"], ends["last"] + 1, BATCH):
            batch = contacts.filter(pk__gte=start, pk__lt=start + BATCH)
            batch.filter(lid__regex=f"^{FORM}$").update(user_id=F("lid"), lid=None)
    # What of today's merges may still be taken back.
    for merge in apps.get_model("contacts", "ContactMerge").objects.filter(undone_at=None):
        if "user_id" not in merge.gone:
            lid = merge.gone.get("lid") or ""
            is_user_id = re.fullmatch(FORM, lid) is not None
            merge.gone |= {"lid": None, "user_id": lid} if is_user_id else {"user_id": None}
            _, filled = merge.filled.get("lid", (None, None))
            if re.fullmatch(FORM, filled or ""):
                merge.filled["user_id"] = merge.filled.pop("lid")
            merge.save(update_fields=["gone", "filled"])


def join(apps: Any, schema_editor: Any) -> None:
    """Put them back where the earlier version looks for them, in place of LIDs."""
    contacts = apps.get_model("contacts", "Contact").objects
    contacts.filter(user_id__isnull=False).update(lid=F("user_id"))


class Migration(migrations.Migration):
    # Each batch is committed by itself; what was moved already is not touched by another run.
    atomic = False
    dependencies = [("contacts", "0010_contact_user_id")]

    operations = [migrations.RunPython(part, join, elidable=True)]
