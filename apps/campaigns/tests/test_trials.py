"""A trial to own numbers, and the progress that browsers hear of."""

from typing import Any

import pytest
from django.core.cache import cache

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignRecipient, OptOut
from apps.campaigns.services import outcomes
from apps.campaigns.services.outcomes import tell_progress
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Make
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.tickets.models import Delivery, Message
from conftest import ClientFor
from tests.events import Told
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

OWN = "5511988887777"


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


def trial(client: Any, campaign: Campaign, *numbers: str, **more: Any) -> Any:
    body = {"numbers": list(numbers), **more}
    return client.post(f"/api/campaigns/{campaign.pk}/trial", body, format="json")


def test_a_trial_is_sent_and_counted_nowhere(client: Any, due: Make) -> None:
    campaign = due(texts=["", "Oi, {numero}!", "Olá"])
    sent = trial(client, campaign, OWN, OWN, "+55 11 97777-0001").json()["sent"]
    assert [(each["number"], each["variant"]) for each in sent] == [
        (OWN, 2),
        ("5511977770001", 2),
    ]
    first = Message.objects.get(pk=sent[0]["messageId"])
    assert (first.body, first.ticket_id) == (f"Oi, {OWN}!", sent[0]["ticketId"])
    assert first.ticket.status == "closed"
    assert Delivery.objects.count() == 2
    assert trial(client, campaign, OWN, messageNumber=3).json()["sent"][0]["variant"] == 3
    assert not CampaignRecipient.objects.exists()
    assert Campaign.objects.get().status == "PROGRAMADA"


def test_a_trial_goes_to_all_or_to_nobody(
    client: Any, admin: User, due: Make, qr: Connection
) -> None:
    campaign = due()
    OptOut.objects.create(company=admin.company, canonical_number="5511977770001")
    for numbers, more, code in (
        ((OWN, "5511977770001"), {}, "ERR_TRIAL_OPTED_OUT"),
        ((OWN,), {"messageNumber": 2}, "ERR_TRIAL_EMPTY"),
        ((), {}, "ERR_VALIDATION"),
        ((OWN,) * 6, {}, "ERR_VALIDATION"),
    ):
        answer = trial(client, campaign, *numbers, **more)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    official = make_connection(admin.company, provider="official")
    Campaign.objects.update(connection=official)
    assert trial(client, campaign, OWN).json()["code"] == "ERR_OUTSIDE_24H_WINDOW"
    assert not Message.objects.exists()
    assert not Contact.objects.exists()


def test_progress_is_told_once_a_second_while_it_runs(
    admin: User, due: Make, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    # No second goes by, however busy the machine is.
    monkeypatch.setattr(outcomes, "TOLD_SECONDS", 60)
    campaign = due()
    tell_progress([campaign.pk])
    assert told == []
    send_due(limit=1)
    told.clear()
    cache.delete(f"campaign-told:{campaign.pk}")
    CampaignRecipient.objects.filter(number__endswith="0").update(state="sent")
    tell_progress([campaign.pk])
    tell_progress([campaign.pk])
    assert [each.payload["record"]["progress"] for each in told] == [{"total": 3, "ended": 1}]
    cache.delete(f"campaign-told:{campaign.pk}")
    tell_progress([campaign.pk])
    assert len(told) == 2
    before = told[-1].payload["record"]["updatedAt"]
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    # What was told of the run and comes late is older.
    assert told[-1].payload["record"]["updatedAt"] > before
    assert len(told) == 3
    cache.delete(f"campaign-told:{campaign.pk}")
