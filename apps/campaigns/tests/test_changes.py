"""What a campaign lives on changes or goes while it is planned, runs or waits."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services import delete_user
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignStatus, ContactList
from apps.campaigns.services.completeness import CampaignEmpty
from apps.campaigns.services.running import cancel_campaign, restart_campaign, start_now
from apps.campaigns.services.saving import update_campaign
from apps.campaigns.tests.conftest import Clock, Make, make_filled_list, shared_files
from apps.campaigns.tests.test_costs import template
from apps.campaigns.tests.test_sending import (
    answer,
    provider_takes_all,
    reread,
    run_through,
    settings,
    states,
    work,
)
from apps.common.errors import DomainError
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services import delete_connection
from apps.connections.services.templates import forget_templates
from apps.contacts.models import Contact
from apps.contacts.services import delete_contact
from apps.contacts.services.merging import merge_by_hand
from apps.library.models import FileList
from apps.tickets.models import Message
from conftest import ClientFor
from tests.events import Told
from tests.factories import (
    make_connection,
    make_contact,
    make_contact_list,
    make_file_list,
    make_plan,
    make_queue,
    make_segment,
    make_tag,
    make_ticket,
)
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def one_a_minute(acme: Company) -> None:
    """The first message at once, the next ones a minute apart."""
    settings(acme, messageInterval=0, longerIntervalAfter=1, greaterInterval=60)


@pytest.fixture
def running(clock: Clock, due: Make, one_a_minute: None) -> Campaign:
    """A campaign whose first of three messages has gone."""
    campaign = due()
    work()
    work()
    provider_takes_all()
    assert states(campaign) == ["sent", "pending", "pending"]
    return reread(campaign)


@pytest.mark.parametrize("use", ["tag", "segment"])
def test_a_tag_by_which_a_planned_one_chooses_people_stays(
    client: Any, acme: Company, due: Make, use: str
) -> None:
    tag = make_tag(acme)
    source = {"tag": tag} if use == "tag" else {"segment": make_segment(acme, tagIds=[tag.pk])}
    campaign = due(scheduled_at=timezone.now() + timedelta(days=1), **source)
    refused = client.delete(f"/api/tags/{tag.pk}")
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_TAG_IN_USE")
    Campaign.objects.filter(pk=campaign.pk).finish(status=CampaignStatus.INACTIVE)
    assert client.delete(f"/api/tags/{tag.pk}").status_code == 200


def test_a_queue_by_which_a_planned_ones_segment_chooses_people_stays(
    client: Any, acme: Company, due: Make
) -> None:
    queue, other = make_queue(acme), make_queue(acme)
    segment = make_segment(acme, queueIds=[queue.pk])
    campaign = due(segment=segment, scheduled_at=timezone.now() + timedelta(days=1))
    ticket = make_ticket(acme, queue=queue, status="open")
    refused = client.delete(f"/api/queue/{queue.pk}")
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_QUEUE_IN_USE")
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.status) == (queue, "open")
    assert client.delete(f"/api/queue/{other.pk}").status_code == 200
    Campaign.objects.filter(pk=campaign.pk).finish(status=CampaignStatus.INACTIVE)
    assert client.delete(f"/api/queue/{queue.pk}").status_code == 200
    # The segment, which nobody is in now, may be changed and used again.
    assert client.get("/api/segments/list").json()[0]["id"] == segment.pk


def test_a_file_list_that_a_planned_one_sends_stays(client: Any, acme: Company, due: Make) -> None:
    files = make_file_list(acme)
    campaign = due(file_list=files, scheduled_at=timezone.now() + timedelta(days=1))
    refused = client.delete(f"/api/files/{files.pk}")
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_FILE_LIST_IN_USE")
    Campaign.objects.filter(pk=campaign.pk).finish(status=CampaignStatus.INACTIVE)
    assert client.delete(f"/api/files/{files.pk}").status_code == 200


def test_a_file_list_that_a_planned_one_sends_keeps_a_file(
    client: Any, acme: Company, due: Make, media: None, django_capture_on_commit_callbacks: Any
) -> None:
    files = make_filled_list(acme, "Vasos", "Preços")
    first, last = files.items.all()
    campaign = due(file_list=files, texts=[], scheduled_at=timezone.now() + timedelta(days=1))

    def keep(*options: dict[str, Any], **fields: Any) -> tuple[int, str | None]:
        body = {"options": options, **fields}
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.put(f"/api/files/{files.pk}", body, format="json")
        return answer.status_code, answer.json().get("code")

    assert keep({"id": last.pk, "name": "Prazos"}, {"name": "Ainda vem"})[0] == 200
    assert not default_storage.exists(first.media_path)
    kept = list(files.items.values())
    # An option without a file is none to send.
    for options in ((), ({"id": kept[1]["id"], "name": "Outro"}, {"name": "Novo"})):
        refused = keep(*options, name="Outra lista")
        assert refused == (409, "ERR_FILE_LIST_IN_USE")
        files.refresh_from_db()
        assert (list(files.items.values()), files.name == "Outra lista") == (kept, False)
    assert default_storage.exists(last.media_path)
    Campaign.objects.filter(pk=campaign.pk).finish(status=CampaignStatus.INACTIVE)
    assert keep()[0] == 200
    # A planned one that has something else to send may name a list that is still to be filled.
    due(file_list=files, scheduled_at=timezone.now() + timedelta(days=1))
    assert keep({"name": "Vem depois"})[0] == keep()[0] == 200


def test_one_that_runs_goes_on_without_its_sources(
    clock: Clock, client: Any, acme: Company, due: Make, one_a_minute: None
) -> None:
    sources = {
        "tags": make_tag(acme),
        "segments": make_segment(acme, city="Recife"),
        "contact-lists": _list_of_one(acme),
        "files": make_file_list(acme),
    }
    tag, segment, listed, files = sources.values()
    campaign = due(tag=tag, segment=segment, contact_list=listed, file_list=files)
    work()
    for path, source in sources.items():
        assert client.delete(f"/api/{path}/{source.pk}").status_code == 200, path
    run_through(clock, campaign)
    assert states(campaign) == ["sent"]


def test_of_a_cancelled_one_another_file_list_is_sent_from_then_on(
    clock: Clock, admin: User, acme: Company, due: Make, one_a_minute: None, media: None
) -> None:
    old, new = make_filled_list(acme, "Vasos"), make_filled_list(acme, "Preços", "Prazos")
    campaign = due(file_list=old)
    work()
    work()
    provider_takes_all()
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    before = reread(campaign).files
    assert states(campaign) == ["sent", "pending", "pending"]
    # What is not another list makes no other copies.
    for fields in ({"name": "Outra"}, {"file_list_id": old.pk}):
        update_campaign(user=admin, campaign_id=campaign.pk, fields=fields)
        assert reread(campaign).files == before
    update_campaign(user=admin, campaign_id=campaign.pk, fields={"file_list_id": new.pk})
    restart_campaign(user=admin, campaign_id=campaign.pk)
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3
    sent = Message.objects.exclude(media_path="").order_by("pk")
    assert [each.media_name for each in sent] == ["Vasos", *["Preços", "Prazos"] * 2]
    paths = {each["path"] for each in (*before, *reread(campaign).files)}
    assert set(sent.values_list("media_path", flat=True)) == paths == shared_files(acme)


def test_a_cancelled_one_whose_files_are_all_it_has_sends_them(
    clock: Clock, admin: User, acme: Company, due: Make, one_a_minute: None, media: None
) -> None:
    files, empty = make_filled_list(acme, "Vasos"), make_file_list(acme)
    campaign = due(file_list=empty)
    work()
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    update_campaign(user=admin, campaign_id=campaign.pk, fields={"texts": {1: ""}})
    # What came into its list after the start is not of its copies.
    make_filled_list(acme, "Preços").items.update(file_list=empty)
    for fields in ({}, {"file_list_id": None}):
        update_campaign(user=admin, campaign_id=campaign.pk, fields=fields)
        with pytest.raises(CampaignEmpty):
            restart_campaign(user=admin, campaign_id=campaign.pk)
    update_campaign(user=admin, campaign_id=campaign.pk, fields={"file_list_id": files.pk})
    restart_campaign(user=admin, campaign_id=campaign.pk)
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3


def test_another_file_list_that_is_not_saved_leaves_no_files(
    admin: User, acme: Company, due: Make, media: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_campaign: Campaign) -> None:
        raise RuntimeError

    campaign = due()
    work()
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    monkeypatch.setattr(events, "campaign_updated", fail)
    fields = {"file_list_id": make_filled_list(acme, "Vasos").pk}
    with pytest.raises(RuntimeError):
        update_campaign(user=admin, campaign_id=campaign.pk, fields=fields)
    assert shared_files(acme) == set()


def test_without_its_connection_it_waits_says_so_and_goes_on_with_another(
    clock: Clock, admin: User, acme: Company, running: Campaign, qr: Connection, told: list[Told]
) -> None:
    delete_connection(actor=admin, connection=qr)
    for _ in range(3):
        clock.pass_time(seconds=61)
        work()
    assert reread(running).wait_code == "connection_deleted"
    assert states(running) == ["sent", "pending", "pending"]
    with pytest.raises(DomainError):
        update_campaign(user=admin, campaign_id=running.pk, fields={"name": "Outra"})
    cancel_campaign(user=admin, campaign_id=running.pk)
    with pytest.raises(DomainError) as refused:
        restart_campaign(user=admin, campaign_id=running.pk)
    assert refused.value.code == "ERR_CAMPAIGN_WITHOUT_CONNECTION"
    other = make_connection(acme, name="Outra", provider="beta")
    update_campaign(user=admin, campaign_id=running.pk, fields={"connection_id": other.pk})
    restart_campaign(user=admin, campaign_id=running.pk)
    run_through(clock, running)
    assert states(running) == ["sent"] * 3
    assert Message.objects.filter(source="campaign").count() == 3
    waits = [each.payload["record"]["waitCode"] for each in told]
    assert [code for code in waits if code] == ["connection_deleted"]


def test_a_template_that_meta_pauses_or_forgets_holds_the_rest(
    clock: Clock,
    acme: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
    one_a_minute: None,
) -> None:
    campaign = due(connection=connection, **template(graph))
    work()
    work()
    provider_takes_all()
    assert states(campaign) == ["sent", "pending", "pending"]
    for listed, words in (
        ([{**graph.templates[0], "status": "PAUSED"}], "template_paused"),
        ([], "template_unknown"),
    ):
        known, graph.templates = graph.templates, listed
        # What is known of templates lives for ten minutes.
        forget_templates(connection.waba_id)
        clock.pass_time(seconds=61)
        work()
        assert reread(campaign).wait_code == words
        assert states(campaign) == ["sent", "pending", "pending"]
        graph.templates = known
    forget_templates(connection.waba_id)
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3


def test_a_contact_who_is_deleted_or_merged_meanwhile_is_written_to_once(
    clock: Clock, admin: User, acme: Company, running: Campaign
) -> None:
    second = make_contact(acme, number="5511984321101")
    delete_contact(contact=second, actor=admin)
    keep, gone = (
        make_contact(acme, number=number) for number in ("5511900000001", "5511984321102")
    )
    merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    run_through(clock, running)
    assert states(running) == ["sent"] * 3
    numbers = Message.objects.filter(source="campaign").values_list("contact__number", flat=True)
    assert len(numbers) == len(set(numbers)) == 3
    assert Contact.objects.filter(number="5511984321101").count() == 1


def test_an_answer_of_somebody_merged_counts_for_who_stayed(
    clock: Clock, admin: User, acme: Company, qr: Connection, due: Make, one_a_minute: None
) -> None:
    campaign = due(asking=["Posso?"], contact_list=_list_of_one(acme))
    work()
    work()
    provider_takes_all()
    asked = Contact.objects.get(number="5511984321100")
    keep = make_contact(acme, number="5511900000001")
    merge_by_hand(contact_id=keep.pk, other_id=asked.pk, actor=admin)
    answer(qr, "5511984321100", "Pode")
    assert states(campaign) == ["confirmed"]
    run_through(clock, campaign)
    assert states(campaign) == ["sent"]


def _list_of_one(company: Company) -> ContactList:
    return make_contact_list(company, people=[("Ana Lima", "5511984321100")])


def test_it_outlives_who_made_it_and_a_plan_that_loses_campaigns(
    clock: Clock, admin: User, agent: User, acme: Company, running: Campaign, due: Make
) -> None:
    # An admin once.
    Campaign.objects.filter(pk=running.pk).update(user=agent)
    planned = due(scheduled_at=clock.now + timedelta(hours=1), user=agent)
    delete_user(actor=admin, user_id=agent.pk)
    acme.plan = make_plan(use_campaigns=False)
    acme.save()
    run_through(clock, running)
    clock.pass_time(hours=1)
    run_through(clock, planned)
    assert states(running) == states(planned) == ["sent"] * 3
    # What has no time, or was stopped, is a new use.
    stopped = due(scheduled_at=None)
    with pytest.raises(DomainError) as refused:
        start_now(user=User.objects.get(pk=admin.pk), campaign_id=stopped.pk)
    assert (refused.value.status, refused.value.code) == (403, "ERR_PLAN_FEATURE")


def test_a_company_overdue_for_more_than_three_days_goes_on_when_it_has_paid(
    clock: Clock, acme: Company, running: Campaign
) -> None:
    paid_until = acme.due_date
    acme.due_date = clock.now.date() - timedelta(days=5)
    acme.save()
    for _ in range(3):
        clock.pass_time(minutes=5)
        assert work() == 0
    acme.due_date = paid_until
    acme.save()
    work()
    # Nothing has piled up.
    assert states(running) == ["sent", "queued", "pending"]


@pytest.mark.parametrize("hours", [-1, 1, 24])
def test_a_clock_that_is_set_repeats_nobody_and_lets_nothing_pile_up(
    clock: Clock, running: Campaign, hours: int
) -> None:
    clock.pass_time(hours=hours)
    work()
    provider_takes_all()
    gone = states(running).count("sent")
    # Set back, it waits for the moment that stands in its row; set forward, it keeps its pace.
    assert gone == (1 if hours < 0 else 2)
    work()
    assert states(running).count("sent") == gone
    run_through(clock, running)
    assert states(running) == ["sent"] * 3
    assert Message.objects.filter(source="campaign").count() == 3


def test_the_text_of_the_file_list_goes_with_its_first_file(
    clock: Clock, acme: Company, due: Make, at_once: None, media: None
) -> None:
    listed = make_filled_list(acme, "Preços", "Prazos")
    FileList.objects.filter(pk=listed.pk).update(message="{nome}, segue o que você pediu.")
    campaign = due(file_list=listed)
    work()
    # What the list says later is for later campaigns.
    FileList.objects.filter(pk=listed.pk).update(message="Outro texto")
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3
    to_first = Message.objects.filter(contact__name="Pessoa 1").order_by("pk")
    assert [each.body for each in to_first] == [
        "Pessoa 1, segue o que você pediu.",
        "Prazos",
        campaign.texts[0].replace("{nome}", "Pessoa 1"),
    ]
