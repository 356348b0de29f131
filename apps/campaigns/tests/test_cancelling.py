"""Taking its time away from a campaign that is still to start."""

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.campaigns.services import sending
from apps.campaigns.services.running import cancel_campaign, start_now
from apps.campaigns.services.sending import send_due
from apps.campaigns.services.starting import start_campaign
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_campaigns import refusal
from apps.campaigns.tests.test_sending import reread, states, work
from apps.common.leases import Claim
from apps.tickets.models import Message
from conftest import ClientFor
from tests.product import wait_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.mark.parametrize("by_hand", [False, True])
def test_cancelling_a_planned_one_takes_its_time_away(
    client: Any, due: Make, by_hand: bool, events: list[dict[str, Any]]
) -> None:
    campaign = due(scheduled_at=timezone.now() + timedelta(minutes=20))
    address = f"/api/campaigns/{campaign.pk}"
    if by_hand:
        client.post(f"{address}/start")
    assert refusal(client.put(address, {"scheduledAt": None}, format="json")) == (
        409,
        "ERR_CAMPAIGN_NOT_EDITABLE",
    )
    events.clear()
    answer = client.post(f"{address}/cancel")
    assert (answer.status_code, answer.json()["message"]) == (200, "Agendamento retirado.")
    [told] = [each["payload"] for each in events if each["event"] == "campaign"]
    row = told["record"]
    assert (told["action"], row["status"], row["scheduledAt"]) == ("update", "INATIVA", None)
    before = campaign.updated_at
    campaign.refresh_from_db()
    assert (campaign.status, campaign.scheduled_at, campaign.state) == ("INATIVA", None, "done")
    assert row["updatedAt"] == campaign.updated_at > before
    assert send_due(limit=10) == 0
    assert refusal(client.post(f"{address}/cancel")) == (409, "ERR_CAMPAIGN_NOT_RUNNING")
    # It may be changed again, and starts when somebody wants it to.
    assert client.put(address, {"message1": "Outra"}, format="json").status_code == 200
    assert client.post(f"{address}/start").status_code == 200
    assert send_due(limit=10) == 1


@pytest.mark.parametrize("is_started_again", [False, True])
def test_one_that_is_cancelled_behind_a_workers_claim_does_not_start(
    clock: Clock,
    admin: User,
    due: Make,
    monkeypatch: pytest.MonkeyPatch,
    is_started_again: bool,
) -> None:
    campaign, process = due(), sending._process

    def late(campaign_id: int, claim: Claim[Campaign]) -> None:
        cancel_campaign(user=admin, campaign_id=campaign_id)
        if is_started_again:
            start_now(user=admin, campaign_id=campaign_id)
        process(campaign_id, claim)

    with monkeypatch.context() as patched:
        patched.setattr(sending, "_process", late)
        assert work() == 1
    # Nor does the claim count for another start.
    status = "PROGRAMADA" if is_started_again else "INATIVA"
    assert (reread(campaign).status, states(campaign)) == (status, [])
    assert work() == is_started_again


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_that_starts_before_the_cancelling_has_it_is_stopped_and_sends_nothing(
    admin: User, due: Make, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = due()
    cancelled: list[Future[Campaign]] = []

    def is_waited_for() -> bool:
        with database.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return bool(cursor.fetchone()[0])

    def cancel() -> Campaign:
        try:
            return cancel_campaign(user=admin, campaign_id=campaign.pk)
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:

        def start(locked: Campaign) -> None:
            cancelled.append(pool.submit(cancel))
            wait_for(is_waited_for, "the cancelling")
            start_campaign(locked)

        monkeypatch.setattr(sending, "start_campaign", start)
        assert work() == 1
        assert cancelled[0].result(60).status == "CANCELADA"
    assert work() == 0
    assert (reread(campaign).status, states(campaign)) == ("CANCELADA", ["pending"] * 3)
    assert not Message.objects.exists()
