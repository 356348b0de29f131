"""A test to own numbers, and the progress that browsers hear of."""

from collections import Counter
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignRecipient, OptOut
from apps.campaigns.services import outcomes
from apps.campaigns.services.outcomes import tell_progress
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import PNG, Make, make_filled_list, shared_files
from apps.campaigns.tests.test_costs import template
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.tickets.models import Delivery, Message
from conftest import ClientFor
from tests.events import Told
from tests.factories import make_connection, make_file_list
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db

OWN = "5511988887777"


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


def send_test(client: Any, campaign: Campaign, *numbers: str, **more: Any) -> Any:
    body = {"numbers": list(numbers), **more}
    return client.post(f"/api/campaigns/{campaign.pk}/trial", body, format="json")


def test_a_test_is_sent_and_counted_nowhere(client: Any, due: Make) -> None:
    campaign = due(texts=["", "Oi, {numero}!", "Olá"])
    sent = send_test(client, campaign, OWN, OWN, "+55 11 97777-0001").json()["sent"]
    assert [(each["number"], each["variant"]) for each in sent] == [
        (OWN, 2),
        ("5511977770001", 2),
    ]
    first = Message.objects.get(pk=sent[0]["messageId"])
    assert (first.body, first.ticket_id) == (f"Oi, {OWN}!", sent[0]["ticketId"])
    assert first.ticket.status == "closed"
    assert Delivery.objects.count() == 2
    assert send_test(client, campaign, OWN, messageNumber=3).json()["sent"][0]["variant"] == 3
    assert not CampaignRecipient.objects.exists()
    assert Campaign.objects.get().status == "PROGRAMADA"


def test_a_test_goes_to_all_or_to_nobody(
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
        answer = send_test(client, campaign, *numbers, **more)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    official = make_connection(admin.company, provider="official")
    Campaign.objects.update(connection=official)
    assert send_test(client, campaign, OWN).json()["code"] == "ERR_OUTSIDE_24H_WINDOW"
    assert not Message.objects.exists()
    assert not Contact.objects.exists()


def test_a_number_that_is_too_short_for_a_test_is_told_the_least_length(
    client: Any, due: Make
) -> None:
    fields = send_test(client, due(), "1234567").json()["fields"]
    assert fields == {"numbers.0": ["O número precisa ter ao menos 8 caracteres."]}


def attach(client: Any, campaign: Campaign, name: str) -> None:
    form = {"file": SimpleUploadedFile(name, PNG, "image/png")}
    address = f"/api/campaigns/{campaign.pk}/media-upload"
    assert client.post(address, form, format="multipart").status_code == 200


def test_what_becomes_of_the_campaigns_file_takes_nothing_from_a_test(
    client: Any,
    acme: Company,
    due: Make,
    media: None,
    django_capture_on_commit_callbacks: Any,
) -> None:
    campaign = due(scheduled_at=None)
    address = f"/api/campaigns/{campaign.pk}"
    with django_capture_on_commit_callbacks(execute=True):
        for name, change in (
            ("um.png", lambda: attach(client, campaign, "outro.png")),
            ("dois.png", lambda: client.delete(f"{address}/media-upload")),
            ("três.png", lambda: client.delete(address)),
        ):
            attach(client, campaign, name)
            assert len(send_test(client, campaign, OWN, "5511977770001").json()["sent"]) == 2
            change()
    messages = Message.objects.exclude(media_path="")
    assert Counter(messages.values_list("media_name", flat=True)) == {
        "um.png": 2,
        "dois.png": 2,
        "três.png": 2,
    }
    paths = set(messages.values_list("media_path", flat=True))
    # The campaign's own are gone, one copy of each is there.
    assert shared_files(acme) == paths
    assert len(paths) == 3


def test_a_test_of_one_that_has_started_shows_what_it_sends(
    client: Any, acme: Company, due: Make, media: None
) -> None:
    files = make_filled_list(acme, "Vasos")
    campaign = due(file_list=files)
    send_due(limit=1)
    # What comes into the list now is not of the campaign.
    make_filled_list(acme, "Preços").items.update(file_list=files)
    before = shared_files(acme)
    send_test(client, campaign, OWN)
    shown = Message.objects.exclude(media_path="").values_list("media_path", flat=True)
    assert set(shown) == shared_files(acme) == before
    # Nor is it of one that started while its list was empty.
    empty = make_file_list(acme)
    other = due(file_list=empty)
    send_due(limit=2)
    make_filled_list(acme, "Preços").items.update(file_list=empty)
    send_test(client, other, OWN)
    assert shared_files(acme) == before


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        ("opted_out", "ERR_TRIAL_OPTED_OUT"),
        ("window", "ERR_OUTSIDE_24H_WINDOW"),
        ("template", "ERR_VALIDATION"),
    ],
)
def test_a_test_that_is_refused_leaves_no_files(
    client: Any,
    acme: Company,
    due: Make,
    connection: Connection,
    graph: GraphServer,
    media: None,
    refusal: str,
    code: str,
) -> None:
    campaign = due(file_list=make_filled_list(acme, "Vasos", "Preços"), scheduled_at=None)
    attach(client, campaign, "um.png")
    if refusal == "opted_out":
        OptOut.objects.create(company=acme, canonical_number="5511977770001")
    else:
        named = template(graph) if refusal == "template" else {}
        if refusal == "template":
            graph.templates[0]["components"][0]["text"] = "Oi, {{1}}!"
        Campaign.objects.update(connection=connection, **named)
    before = shared_files(acme)
    answer = send_test(client, campaign, OWN, "5511977770001")
    assert answer.json()["code"] == code
    assert shared_files(acme) == before == {Campaign.objects.get().media_path}
    assert not Message.objects.exists()


def test_a_test_of_a_template_leaves_no_files(
    client: Any, acme: Company, due: Make, connection: Connection, graph: GraphServer, media: None
) -> None:
    files = make_filled_list(acme, "Vasos")
    campaign = due(
        file_list=files, scheduled_at=None, connection=connection, texts=[], **template(graph)
    )
    assert send_test(client, campaign, OWN).json()["sent"][0]["variant"] is None
    assert shared_files(acme) == set()


def test_a_start_that_fails_leaves_no_files(
    acme: Company, due: Make, media: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_campaign: Campaign) -> None:
        raise RuntimeError

    due(file_list=make_filled_list(acme, "Vasos"))
    with monkeypatch.context() as patched:
        patched.setattr(events, "campaign_updated", fail)
        send_due(limit=1)
    assert shared_files(acme) == set()
    assert Campaign.objects.get().status == "PROGRAMADA"


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
    assert [each.payload["record"]["progress"] for each in told] == [
        {"total": 3, "ended": 1, "assessed": 0}
    ]
    cache.delete(f"campaign-told:{campaign.pk}")
    tell_progress([campaign.pk])
    assert len(told) == 2
    before = told[-1].payload["record"]["updatedAt"]
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    # What was told of the run and comes late is older.
    assert told[-1].payload["record"]["updatedAt"] > before
    assert len(told) == 3
    cache.delete(f"campaign-told:{campaign.pk}")
