"""Campaigns as admins write, start, stop and delete them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.campaigns.models import Campaign, CampaignRecipient, CampaignSetting, ContactList
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.services.sending import send_due
from apps.campaigns.services.starting import files_of
from apps.common.leases import LeaseState
from apps.common.media import is_shared, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.realtime.rooms import role_room
from conftest import ClientFor
from tests.factories import (
    make_campaign,
    make_connection,
    make_contact,
    make_contact_list,
    make_file_list,
    make_plan,
    make_tag,
    make_ticket,
)

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture
def client(client_for: ClientFor, admin: User, settings: Any, tmp_path: Any) -> Any:
    settings.MEDIA_ROOT = tmp_path
    return client_for(admin)


@pytest.fixture
def ready(qr: Connection, people: ContactList) -> dict[str, Any]:
    """The fields of a campaign that lacks nothing but a time."""
    return {
        "name": "Ofertas de maio",
        "message1": "Oi, {nome}!",
        "message3": "Olá, {nome}!",
        "whatsappId": qr.pk,
        "contactListId": people.pk,
    }


def put(client: Any, campaign_id: int, **fields: Any) -> Any:
    return client.put(f"/api/campaigns/{campaign_id}", fields, format="json")


def create(client: Any, fields: dict[str, Any], **more: Any) -> Any:
    return client.post("/api/campaigns", {**fields, **more}, format="json")


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def in_hours(hours: float) -> str:
    return (timezone.now() + timedelta(hours=hours)).isoformat()


def test_one_is_made_changed_and_deleted(
    client: Any, admin: User, ready: dict[str, Any], qr: Connection, events: list[dict[str, Any]]
) -> None:
    tag = make_tag(admin.company)
    files = make_file_list(admin.company, items=["Catálogo"])
    made = create(client, ready, tagListId=tag.pk, fileListId=files.pk, status="FINALIZADA")
    row = made.json()
    assert (made.status_code, row["status"]) == (201, "INATIVA")
    assert (row["message1"], row["message2"], row["message3"]) == (
        "Oi, {nome}!",
        "",
        "Olá, {nome}!",
    )
    assert row["whatsapp"] == {"id": qr.pk, "name": "QR"}
    assert row.keys() >= {
        *("id", "name", "status", "confirmation", "scheduledAt", "completedAt", "whatsappId"),
        *("contactListId", "contactList", "companyId", "mediaPath", "mediaName"),
        *(
            f"{kind}{number}"
            for kind in ("message", "confirmationMessage")
            for number in range(1, 6)
        ),
    }
    assert (row["tagListId"], row["fileListId"]) == (tag.pk, files.pk)
    assert row["progress"] == {"total": 0, "ended": 0, "assessed": 0}
    changed = put(client, row["id"], message3=None, tagListId="Nenhuma", fileListId="")
    assert [changed.json()[name] for name in ("message1", "message3")] == ["Oi, {nome}!", ""]
    assert [changed.json()[name] for name in ("tagListId", "fileListId")] == ["Nenhuma", None]
    assert client.delete(f"/api/campaigns/{row['id']}").status_code == 200
    assert refusal(client.get(f"/api/campaigns/{row['id']}")) == (404, "ERR_NO_CAMPAIGN_FOUND")
    told = [each for each in events if each["event"] == "campaign"]
    assert [each["payload"]["action"] for each in told] == ["create", "update", "delete"]
    room = role_room(admin.company_id, Permission.CAMPAIGNS)
    assert {tuple(each["rooms"]) for each in told} == {(room,)}
    assert AuditEntry.objects.get().action == "campaign.deleted"


def test_a_time_plans_it_in_the_companys_zone(client: Any, ready: dict[str, Any]) -> None:
    made = create(client, ready, scheduledAt="2999-01-31 09:00:00").json()
    assert (made["status"], made["scheduledAt"]) == ("PROGRAMADA", "2999-01-31T12:00:00Z")
    campaign = Campaign.objects.get()
    assert (campaign.state, campaign.next_attempt_at) == ("waiting", campaign.scheduled_at)
    assert made["estimatedFinishAt"] == "2999-01-31T12:00:30Z"
    moved = put(client, campaign.pk, scheduledAt="2999-02-01T09:00:00Z").json()
    assert Campaign.objects.get().next_attempt_at.isoformat() == "2999-02-01T09:00:00+00:00"
    assert moved["status"] == "PROGRAMADA"
    freed = put(client, campaign.pk, scheduledAt=None).json()
    assert (freed["status"], freed["estimatedFinishAt"]) == ("INATIVA", None)
    assert Campaign.objects.get().state == "done"


@pytest.mark.parametrize(
    ("lacking", "code"),
    [
        ({"whatsappId": None}, "ERR_CAMPAIGN_WITHOUT_CONNECTION"),
        ({"contactListId": None}, "ERR_CAMPAIGN_WITHOUT_RECIPIENTS"),
        ({"message1": " ", "message3": ""}, "ERR_CAMPAIGN_EMPTY"),
        # A QR session knows no templates.
        ({"message1": "", "message3": "", "templateName": "oi"}, "ERR_CAMPAIGN_EMPTY"),
        ({"confirmation": True}, "ERR_CAMPAIGN_WITHOUT_CONFIRMATION"),
    ],
)
def test_without_what_it_needs_it_gets_no_time_and_no_start(
    client: Any, ready: dict[str, Any], lacking: dict[str, Any], code: str
) -> None:
    fields = {**ready, **lacking}
    answer = create(client, fields, scheduledAt=in_hours(2))
    assert refusal(answer) == (400, code)
    assert answer.json()["fields"]
    assert not Campaign.objects.exists()
    made = create(client, fields).json()
    assert refusal(client.post(f"/api/campaigns/{made['id']}/start")) == (400, code)


def test_a_template_is_enough_for_an_official_number(
    client: Any, admin: User, ready: dict[str, Any]
) -> None:
    official = make_connection(admin.company, provider="official")
    fields = {**ready, "message1": "", "message3": "", "whatsappId": official.pk}
    assert create(client, fields, templateName="oi", scheduledAt=in_hours(2)).status_code == 201


def test_a_time_that_has_passed_is_refused(client: Any, ready: dict[str, Any]) -> None:
    assert refusal(create(client, ready, scheduledAt=in_hours(-1))) == (
        400,
        "ERR_CAMPAIGN_TIME_PASSED",
    )
    assert create(client, ready, scheduledAt="ontem").json()["fields"].keys() == {"scheduledAt"}


def test_it_is_changed_until_an_hour_before_its_time(
    client: Any, admin: User, qr: Connection, people: ContactList
) -> None:
    def planned(minutes: float) -> int:
        return make_campaign(
            admin.company,
            connection=qr,
            contact_list=people,
            scheduled_at=timezone.now() + timedelta(minutes=minutes),
        ).pk

    assert put(client, planned(62), name="Outra").status_code == 200
    soon = planned(59)
    far_off = put(client, soon, scheduledAt=in_hours(5))
    assert refusal(far_off) == (409, "ERR_CAMPAIGN_NOT_EDITABLE")
    upload = {"file": SimpleUploadedFile("x.png", PNG, "image/png")}
    answer = client.post(f"/api/campaigns/{soon}/media-upload", upload, format="multipart")
    assert refusal(answer) == (409, "ERR_CAMPAIGN_NOT_EDITABLE")
    for status, state in (("EM_ANDAMENTO", "waiting"), ("FINALIZADA", "done")):
        Campaign.objects.filter(pk=soon).update(status=status, state=state)
        assert refusal(put(client, soon, name="Outra")) == (409, "ERR_CAMPAIGN_NOT_EDITABLE")


def test_of_a_cancelled_one_the_texts_change_but_not_to_whom(
    client: Any, admin: User, qr: Connection, people: ContactList
) -> None:
    campaign = make_campaign(admin.company, connection=qr, contact_list=people)
    send_due(limit=1)
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    row = detail(client, campaign)
    # As older dialogs send it back: the time in whole seconds.
    stored = row["scheduledAt"][:19] + "Z"
    saved = put(client, campaign.pk, message1="Outra", scheduledAt=stored, contactListId=people.pk)
    assert (saved.json()["status"], saved.json()["message1"]) == ("CANCELADA", "Outra")
    other = make_contact_list(admin.company)
    for change in ({"contactListId": other.pk}, {"scheduledAt": in_hours(2)}):
        answer = put(client, campaign.pk, **change)
        assert refusal(answer) == (409, "ERR_CAMPAIGN_NOT_EDITABLE")
        assert answer.json()["fields"].keys() == change.keys()


def test_starting_by_hand_is_at_once_and_once(client: Any, ready: dict[str, Any]) -> None:
    made = create(client, ready, scheduledAt=in_hours(30)).json()
    started = client.post(f"/api/campaigns/{made['id']}/start")
    assert (started.status_code, started.json()["status"]) == (200, "PROGRAMADA")
    assert send_due(limit=1) == 1
    row = client.get("/api/campaigns/").json()["records"][0]
    assert (row["status"], row["progress"]) == (
        "EM_ANDAMENTO",
        {"total": 3, "ended": 0, "assessed": 0},
    )
    assert row["estimatedFinishAt"] > row["startedAt"]
    again = client.post(f"/api/campaigns/{made['id']}/start")
    assert refusal(again) == (409, "ERR_CAMPAIGN_STARTED")


def test_nobody_who_could_receive_it_is_no_start(
    client: Any, admin: User, ready: dict[str, Any], people: ContactList
) -> None:
    people.items.update(is_whatsapp_valid=False)
    tag = make_tag(admin.company)
    made = create(client, ready, tagListId=tag.pk).json()
    answer = client.post(f"/api/campaigns/{made['id']}/start")
    assert refusal(answer) == (400, "ERR_CAMPAIGN_WITHOUT_RECIPIENTS")
    make_ticket(admin.company, contact=make_contact(admin.company)).tags.add(tag)
    assert client.post(f"/api/campaigns/{made['id']}/start").status_code == 200


def test_cancel_and_restart_say_so(client: Any, due: Any) -> None:
    campaign = due()
    send_due(limit=1)
    address = f"/api/campaigns/{campaign.pk}"
    assert refusal(client.delete(address)) == (409, "ERR_CAMPAIGN_RUNNING")
    assert refusal(client.post(f"{address}/restart")) == (409, "ERR_CAMPAIGN_NOT_CANCELLED")
    assert client.post(f"{address}/cancel").json()["message"]
    assert detail(client, campaign)["status"] == "CANCELADA"
    assert refusal(client.post(f"{address}/cancel")) == (409, "ERR_CAMPAIGN_NOT_RUNNING")
    Campaign.objects.update(connection=None)
    assert refusal(client.post(f"{address}/restart")) == (400, "ERR_CAMPAIGN_WITHOUT_CONNECTION")
    Campaign.objects.update(connection=make_connection(campaign.company))
    assert client.post(f"{address}/restart").json()["message"]
    assert detail(client, campaign)["status"] == "EM_ANDAMENTO"


@pytest.mark.django_db(transaction=True)
def test_its_file_goes_with_it_unless_messages_show_it(client: Any, ready: dict[str, Any]) -> None:
    address = f"/api/campaigns/{create(client, ready).json()['id']}"

    def upload(name: str) -> str:
        form = {"file": SimpleUploadedFile(name, PNG, "image/png")}
        answer = client.post(f"{address}/media-upload", form, format="multipart")
        row = answer.json()
        assert (answer.status_code, row["mediaName"]) == (200, name)
        assert (row["mediaMime"], row["mediaSize"]) == ("image/png", len(PNG))
        return Campaign.objects.get().media_path

    first, second = upload("um.png"), upload("dois.png")
    assert (default_storage.exists(first), default_storage.exists(second)) == (False, True)
    assert client.delete(f"{address}/media-upload").json()["mediaPath"] is None
    assert not default_storage.exists(second)
    third = upload("três.png")
    Campaign.objects.update(started_at=timezone.now())
    client.delete(address)
    assert default_storage.exists(third)


def test_a_planned_one_keeps_what_it_has_to_send(client: Any, ready: dict[str, Any]) -> None:
    made = create(client, ready).json()
    address = f"/api/campaigns/{made['id']}"
    form = {"file": SimpleUploadedFile("um.png", PNG, "image/png")}
    client.post(f"{address}/media-upload", form, format="multipart")
    put(client, made["id"], message1="", message3="", scheduledAt=in_hours(3))
    answer = client.delete(f"{address}/media-upload")
    assert refusal(answer) == (400, "ERR_CAMPAIGN_EMPTY")
    assert default_storage.exists(Campaign.objects.get().media_path)


def detail(client: Any, campaign: Campaign) -> dict[str, Any]:
    """Return a campaign as older browsers read it; it is made while it is sent."""
    parts = client.get(f"/api/campaigns/{campaign.pk}").streaming_content
    answer: dict[str, Any] = json.loads(b"".join(parts))
    return answer


def test_older_browsers_get_people_and_shipping(client: Any, due: Any, people: ContactList) -> None:
    campaign = due()
    before = detail(client, campaign)
    assert [each["isWhatsappValid"] for each in before["contactList"]["contacts"]] == [None] * 3
    assert before["shipping"] == []
    people.items.filter(name="Pessoa 1").update(is_whatsapp_valid=False)
    send_due(limit=1)
    CampaignRecipient.objects.filter(state="pending").update(sent_at=timezone.now())
    after = detail(client, campaign)
    assert [each["isWhatsappValid"] for each in after["contactList"]["contacts"]] == [True] * 2
    assert [bool(each["deliveredAt"]) for each in after["shipping"]] == [False, True, True]
    row = client.get("/api/campaigns/").json()["records"][0]
    assert row["contactList"] == {"id": people.pk, "name": people.name}
    due(contact_list=None)
    assert detail(client, Campaign.objects.latest("pk"))["contactList"] is None


def test_a_large_one_is_sent_to_older_browsers_in_parts(
    client: Any, due: Any, people: ContactList, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = due()
    send_due(limit=1)
    monkeypatch.setattr("apps.campaigns.queries.campaigns.WALKED", 2)
    row = detail(client, campaign)
    ids = list(CampaignRecipient.objects.order_by("id").values_list("pk", flat=True))
    assert [each["id"] for each in row["contactList"]["contacts"]] == ids
    assert [each["id"] for each in row["shipping"]] == ids


def test_the_list_is_searched_newest_first_in_as_many_queries(
    client: Any, admin: User, due: Any, django_assert_num_queries: Any
) -> None:
    def names(query: str = "") -> list[str]:
        answer = client.get(f"/api/campaigns/{query}").json()
        return [each["name"] for each in answer["records"]]

    due(name="Ação de maio")
    send_due(limit=1)
    # The page, the recipients left, two of settings.
    with django_assert_num_queries(4):
        assert names() == ["Ação de maio"]
    for place in range(24):
        due(name=f"Aniversário {place}")
    send_due(limit=100)
    with django_assert_num_queries(5):  # and the count of a full page
        assert names()[0] == "Aniversário 23"
    assert names("?searchParam=ACAO") == ["Ação de maio"]
    second = client.get("/api/campaigns/?pageNumber=2").json()
    assert (len(second["records"]), second["count"], second["hasMore"]) == (5, 25, False)


def test_the_plan_says_how_many_and_whether(
    client: Any, admin: User, ready: dict[str, Any]
) -> None:
    admin.company.plan = make_plan(campaigns=1)
    admin.company.save()
    finished = create(client, ready).json()["id"]
    answer = create(client, ready)
    assert refusal(answer) == (403, "ERR_PLAN_LIMIT")
    assert answer.json()["limit"] == "campaigns"
    Campaign.objects.filter(pk=finished).update(status="FINALIZADA")
    made = create(client, ready).json()["id"]
    admin.company.plan = make_plan(use_campaigns=False)
    admin.company.save()
    settings = {"settings": {"messageInterval": 5}}
    for refused in (
        create(client, ready),
        put(client, made, name="Outra"),
        client.post(f"/api/campaigns/{made}/start"),
        client.post("/api/campaign-settings", settings, format="json"),
    ):
        assert refusal(refused) == (403, "ERR_PLAN_FEATURE")


def test_what_another_company_has_is_refused_at_its_field(
    client: Any, globex: Company, ready: dict[str, Any]
) -> None:
    foreign = {
        "whatsappId": (make_connection(globex).pk, "ERR_NO_WAPP_FOUND"),
        "contactListId": (make_contact_list(globex).pk, "ERR_NO_CONTACT_LIST_FOUND"),
        "tagListId": (make_tag(globex).pk, "ERR_NO_TAG_FOUND"),
        "fileListId": (make_file_list(globex).pk, "ERR_NO_FILE_LIST_FOUND"),
    }
    made = create(client, ready).json()["id"]
    for field, (foreign_id, code) in foreign.items():
        for answer in (
            create(client, ready, **{field: foreign_id}),
            put(client, made, **{field: foreign_id}),
        ):
            assert refusal(answer) == (404, code)
            assert answer.json()["fields"].keys() == {field}


def test_settings_are_read_and_changed(
    client: Any, admin: User, events: list[dict[str, Any]]
) -> None:
    def values(answer: Any) -> dict[str, Any]:
        return {each["key"]: json.loads(each["value"]) for each in answer.json()}

    first = {"messageInterval": 20, "longerIntervalAfter": 20, "greaterInterval": 60}
    assert values(client.get("/api/campaign-settings")) == {**first, "variables": []}
    body = {"messageInterval": "10", "variables": [{"key": "cupom", "value": "MAIO10"}]}
    answer = client.post("/api/campaign-settings", {"settings": body}, format="json")
    changed = {**first, "messageInterval": 10, "variables": body["variables"]}
    assert values(answer) == values(client.get("/api/campaign-settings")) == changed
    told = [each for each in events if each["event"] == "campaignSettings"]
    rows = [each["payload"]["record"] for each in told]
    assert [each["key"] for each in rows] == ["messageInterval", "variables"]
    room = role_room(admin.company_id, Permission.CAMPAIGNS)
    assert {tuple(each["rooms"]) for each in told} == {(room,)}
    assert CampaignSetting.objects.count() == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"messageInterval": -1},
        {"greaterInterval": "muito"},
        {"variables": [{"key": "nome", "value": "x"}]},
        {"variables": [{"key": "{a}", "value": "x"}]},
        {"variables": [{"key": "a", "value": "x"}, {"key": "Á", "value": "y"}]},
        {"variables": [{"key": f"k{place}", "value": ""} for place in range(101)]},
    ],
)
def test_settings_that_no_campaign_can_keep_to_are_refused(
    client: Any, wrong: dict[str, Any]
) -> None:
    answer = client.post("/api/campaign-settings", {"settings": wrong}, format="json")
    assert refusal(answer) == (400, "ERR_VALIDATION")
    assert not CampaignSetting.objects.exists()


def test_messages_show_copies_of_a_lists_files(client: Any, admin: User, due: Any) -> None:
    files = make_file_list(admin.company, items=["Catálogo"])
    item = files.items.get()
    item.put_media(
        store_media(company_id=admin.company_id, content=PNG, name="c.png", mime="image/png")
    )
    item.save()
    campaign = due(file_list=files)
    send_due(limit=1)
    campaign.refresh_from_db()
    copy = campaign.files[0]
    assert (copy["name"], copy["size"]) == ("c.png", len(PNG))
    # A conversation that is deleted takes what it alone shows, and a list its own.
    assert is_shared(copy["path"])
    assert default_storage.open(copy["path"]).read() == PNG
    # One that is gone keeps its place, and its recipients fail.
    default_storage.delete(item.media_path)
    assert [each["path"] for each in files_of(campaign, [])] == [item.media_path]


def test_the_names_of_what_people_came_from_outlive_it(
    client: Any, acme: Company, due: Any, people: ContactList
) -> None:
    tag = make_tag(acme, name="VIP")
    campaign = due(tag=tag)
    sources = [{"kind": "list", "name": people.name}, {"kind": "tag", "name": "VIP"}]

    def told() -> Any:
        listed = client.get("/api/campaigns").json()["records"]
        reported = client.get(f"/api/campaigns/{campaign.pk}/report").json()["campaign"]
        [row] = [each for each in listed if each["id"] == campaign.pk]
        return [row["sources"], reported["sources"]]

    assert told() == [sources, sources]
    send_due(limit=1)
    Campaign.objects.filter(pk=campaign.pk).update(status="CANCELADA", state=LeaseState.DONE)
    people.delete()
    tag.delete()
    assert told() == [sources, sources]
