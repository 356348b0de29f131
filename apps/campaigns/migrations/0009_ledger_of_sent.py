"""Gives the delivered messages of earlier campaigns their rows of the ledger.

A campaign's report has the cost of the ledger, which began later than campaigns. Prices, and which
messages the allowance makes free, are set within a minute, because the months are stale.
"""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import migrations

from apps.contacts.numbers import country_of

BATCH = 1000
DELIVERED = 3
DEFAULT_ZONE = "America/Sao_Paulo"


def write_rows(apps: Any, schema_editor: Any) -> None:
    """Write a row for each delivered message whose price Meta told and that has none."""
    recipients = apps.get_model("campaigns", "CampaignRecipient").objects.order_by("pk")
    settings = apps.get_model("companies", "CompanySetting").objects.filter(key="timeZone")
    zones = dict(settings.values_list("company_id", "value"))
    meters: dict[tuple[int, str, date], int] = {}
    after = 0
    while batch := list(
        recipients.filter(pk__gt=after).values_list(
            "pk", "campaign_id", "canonical_number", "message_id", "confirmation_message_id"
        )[:BATCH]
    ):
        after = batch[-1][0]
        sent = {
            message_id: (campaign_id, number)
            for _, campaign_id, number, *message_ids in batch
            for message_id in message_ids
            if message_id is not None
        }
        _write(apps, sent, zones, meters)


def _write(
    apps: Any,
    sent: dict[int, tuple[int, str]],
    zones: dict[int, str],
    meters: dict[tuple[int, str, date], int],
) -> None:
    costs = apps.get_model("costs", "MessageCost")
    meter_rows = apps.get_model("costs", "CostMeter").objects
    known = set(costs.objects.filter(message_id__in=sent).values_list("message_id", flat=True))
    messages = apps.get_model("tickets", "Message").objects.filter(
        pk__in=set(sent) - known,
        ack__gte=DELIVERED,
        pricing__isnull=False,
        connection__provider="official",
    )
    rows = []
    for message in messages.select_related("connection", "ticket"):
        campaign_id, canonical = sent[message.pk]
        zone = ZoneInfo(zones.get(message.company_id) or DEFAULT_ZONE)
        day = message.created_at.astimezone(zone).date()
        number = message.connection.phone_number_id or str(message.connection_id)
        key = (message.company_id, number, day.replace(day=1))
        if key not in meters:
            meter, _ = meter_rows.update_or_create(
                company_id=key[0],
                number=number,
                month=key[2],
                defaults={"is_stale": True},
                create_defaults={"is_stale": True, "connection_id": message.connection_id},
            )
            meters[key] = meter.pk
        country = country_of(canonical)
        rows.append(
            costs(
                message_id=message.pk,
                company_id=message.company_id,
                meter_id=meters[key],
                ticket_id=message.ticket_id,
                queue_id=message.ticket.queue_id,
                user_id=message.user_id,
                source="campaign",
                origin=f"campaign:{campaign_id}",
                country=country.region or country.calling_code,
                category=str(message.pricing.get("category", "")),
                type=str(message.pricing.get("type", "")),
                is_billable=message.pricing.get("billable") is True,
                delivered_at=message.created_at,
                delivered_on=day,
            )
        )
    costs.objects.bulk_create(rows)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0008_template_holds"),
        ("companies", "0001_version_1"),
        ("connections", "0002_menu_silence_minutes"),
        ("costs", "0004_campaign_index"),
        ("tickets", "0009_message_origin"),
    ]

    operations = [migrations.RunPython(write_rows, migrations.RunPython.noop, elidable=True)]
