"""Nothing is sent and nobody is told: not by the import, and not by what runs after it."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from apps.automation.models import WebhookDelivery
from apps.common.leases import leased_models
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus
from apps.mail.models import Mail
from apps.movein.tests.conftest import Sourced, go
from apps.movein.tests.shop import shop_a
from apps.tickets.models import BotTurn, Delivery, MediaFetch, Message, Ticket
from apps.tickets.services.bot.timers import run_timers
from config.celery import app
from tests.events import Told

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def run_all_work() -> None:
    """Run each timed task, and each task of a table of work, as workers do."""
    app.loader.import_default_modules()
    for each in settings.CELERY_BEAT_SCHEDULE.values():
        app.tasks[each["task"]](*each.get("args", ()))
    for name in {model.wakes for model in leased_models()}:
        app.tasks[name]()


def test_workers_and_the_sweep_send_nothing_after_an_import(
    operator_company: Company, source: Sourced, events: list[Told]
) -> None:
    legacy = shop_a()
    # One is silent for longer than its connection allows, another waits for longer.
    for row, minutes in zip(legacy.rows["Tickets"], (45, 300, 45, 45), strict=True):
        row["updatedAt"] = timezone.now() - timedelta(minutes=minutes)
        row["queueId"] = None
    legacy.rows["Tickets"][2]["status"] = "pending"
    legacy.add("Settings", key="sendMsgTransfTicket", value="enabled", companyId=2)
    go(source(legacy))
    assert events == []
    # The number is scanned at once, and everything that waits would go.
    Connection.objects.update(status=ConnectionStatus.CONNECTED)
    before = (Message.objects.count(), list(Ticket.objects.order_by("pk").values("status")))
    assert set(Ticket.objects.values_list("status", flat=True)) == {"open", "pending", "closed"}
    run_all_work()
    for hours in (0, 1):
        run_timers(now=timezone.now() + timedelta(hours=hours))
    assert not Delivery.objects.exists()
    assert not BotTurn.objects.exists() and not MediaFetch.objects.exists()
    assert not WebhookDelivery.objects.exists() and not Mail.objects.exists()
    assert before == (
        Message.objects.count(),
        list(Ticket.objects.order_by("pk").values("status")),
    )
