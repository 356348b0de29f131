"""Records whom campaigns wrote to in the last 90 days, also those deleted since."""

from datetime import timedelta
from typing import Any

from django.db import migrations
from django.utils import timezone

from apps.campaigns.models import number_digest

BATCH = 1000


def remember(apps: Any, schema_editor: Any) -> None:
    """Take the numbers from recipients, and from the messages of deleted campaigns."""
    remembered = apps.get_model("campaigns", "RememberedNumber")
    since = timezone.now() - timedelta(days=90)
    recipients = apps.get_model("campaigns", "CampaignRecipient").objects.filter(
        queued_at__gte=since
    )
    messages = apps.get_model("tickets", "Message").objects.filter(
        source="campaign", created_at__gte=since
    )
    for rows, number, moment in (
        (recipients, "canonical_number", "queued_at"),
        (messages, "contact__canonical_number", "created_at"),
    ):
        latest: dict[tuple[int, str], Any] = {}
        for company_id, canonical, written_at in (
            rows.order_by(moment)
            .values_list("company_id", number, moment)
            .iterator(chunk_size=BATCH)
        ):
            latest[company_id, number_digest(company_id, canonical)] = written_at
        remembered.objects.bulk_create(
            [
                remembered(company_id=company_id, digest=digest, written_at=written_at)
                for (company_id, digest), written_at in latest.items()
            ],
            batch_size=BATCH,
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0002_remembered_numbers"),
        ("contacts", "0002_version_1"),
        ("tickets", "0001_version_1"),
    ]

    operations = [migrations.RunPython(remember, migrations.RunPython.noop, elidable=True)]
