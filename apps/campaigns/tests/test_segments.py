"""Segments: who is in one, and campaigns that go to it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.campaigns.models import Campaign, CampaignRecipient, ContactList, OptOut, Segment
from apps.campaigns.models.segments import no_rules
from apps.campaigns.queries.segments import contacts_in
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.realtime.rooms import role_room
from conftest import ClientFor
from tests import factories
from tests.factories import make_contact, make_segment, make_tag, make_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


def found(company: Company, **rules: Any) -> list[str]:
    """Return the names of those for whom the rules hold."""
    people = contacts_in(company.pk, {**no_rules(), **rules})
    return sorted(people.values_list("name", flat=True))


def person(company: Company, name: str, *, wrote_at: datetime | None = None, **lines: str) -> Any:
    """Make a contact with lines of extra info, who wrote at that time."""
    contact = make_contact(company, name=name)
    for field, value in lines.items():
        contact.extra_info.create(name=field, value=value)
    if wrote_at:
        make_ticket(company, contact=contact, status="closed", last_inbound_at=wrote_at)
    return contact


def test_any_of_the_tags_and_any_of_the_queues_are_asked_for(acme: Company, qr: Connection) -> None:
    tags = [make_tag(acme) for _ in range(3)]
    queues = [factories.make_queue(acme) for _ in range(2)]
    for name, tag, queue in (
        ("Ana", tags[0], queues[0]),
        ("Bia", tags[1], queues[1]),
        ("Caio", tags[2], queues[0]),
    ):
        contact = make_contact(acme, name=name)
        for _ in range(2):
            ticket = make_ticket(acme, contact=contact, connection=qr, status="closed", queue=queue)
            ticket.tags.add(tag)
    first_two = [tags[0].pk, tags[1].pk]
    assert found(acme, tagIds=first_two) == ["Ana", "Bia"]
    assert found(acme, queueIds=[queues[0].pk]) == ["Ana", "Caio"]
    assert found(acme, tagIds=first_two, queueIds=[queues[0].pk]) == ["Ana"]
    gone = tags[0].pk
    tags[0].delete()
    assert found(acme, tagIds=[gone]) == []


def test_the_last_contact_lies_between_two_days_of_the_companys_zone(acme: Company) -> None:
    # In São Paulo the 10th begins at 3 o'clock UTC.
    for name, moment in (
        ("Antes", datetime(2026, 5, 10, 2, 59, tzinfo=UTC)),
        ("Cedo", datetime(2026, 5, 10, 3, 0, tzinfo=UTC)),
        ("Tarde", datetime(2026, 5, 12, 2, 59, tzinfo=UTC)),
        ("Depois", datetime(2026, 5, 12, 3, 0, tzinfo=UTC)),
    ):
        person(acme, name, wrote_at=moment)
    person(acme, "Nunca")
    again = person(acme, "De novo", wrote_at=datetime(2026, 5, 10, 12, tzinfo=UTC))
    make_ticket(acme, contact=again, status="closed", last_inbound_at=timezone.now())
    both = {"lastContactFrom": "2026-05-10", "lastContactTo": "2026-05-11"}
    assert found(acme, **both) == ["Cedo", "Tarde"]
    assert found(acme, lastContactTo="2026-05-11") == ["Antes", "Cedo", "Tarde"]
    assert found(acme, lastContactFrom="2026-05-12") == ["De novo", "Depois"]


def test_cities_and_fields_are_compared_without_case_and_accents(acme: Company) -> None:
    person(acme, "Ana", Cidade="São Paulo", Time="Santos")
    person(acme, "Bia", CITY="sao  paulo ", Time="")
    person(acme, "Caio", Bairro="São Paulo", time="SANTOS")
    assert found(acme, city="SÃO PAULO") == ["Ana", "Bia"]
    assert found(acme, fieldName="TIME", fieldValue="santos") == ["Ana", "Caio"]
    assert found(acme, fieldName="bairro") == ["Caio"]
    assert found(acme, fieldName="time") == ["Ana", "Caio"]
    assert found(acme, city="São Paulo", fieldName="time", fieldValue="Santos") == ["Ana"]


def test_groups_other_companies_and_everybody_are_left_out(
    acme: Company, globex: Company, django_assert_num_queries: Any
) -> None:
    person(acme, "Ana", cidade="Recife")
    person(globex, "Outra", cidade="Recife")
    group = person(acme, "Grupo", cidade="Recife")
    Contact.objects.filter(pk=group.pk).update(is_group=True)
    with django_assert_num_queries(1):
        assert found(acme, city="recife") == ["Ana"]
    assert found(acme) == []


def test_a_segment_is_made_counted_changed_and_deleted(
    client: Any, admin: User, acme: Company, events: list[dict[str, Any]]
) -> None:
    person(acme, "Ana", cidade="Recife")
    tag = make_tag(acme)
    rules: dict[str, Any] = {"city": " Recife ", "tagIds": [], "lastContactFrom": None}
    assert client.post("/api/segments/count", {"rules": rules}, format="json").json() == {
        "count": 1
    }
    empty = client.post("/api/segments/count", {"rules": {}}, format="json")
    assert empty.json() == {"count": 0}
    body = {"name": "Recife", "rules": rules}
    made = client.post("/api/segments", body, format="json")
    assert made.status_code == 201
    assert made.json()["rules"] == {**no_rules(), "city": "Recife"}
    address = f"/api/segments/{made.json()['id']}"
    renamed = client.put(address, {"name": "Recife e região"}, format="json")
    assert renamed.json()["rules"]["city"] == "Recife"
    new = {"tagIds": [tag.pk, tag.pk], "lastContactTo": "2026-05-11"}
    changed = client.put(address, {"rules": new}, format="json").json()
    assert changed["rules"] == {**no_rules(), "tagIds": [tag.pk], "lastContactTo": "2026-05-11"}
    assert client.get("/api/segments/list").json() == [changed]
    assert client.get("/api/segments/?searchParam=REGIAO").json()["records"] == [changed]
    assert client.delete(address).json()["message"] == "Segmento excluído."
    assert client.get(address).json()["code"] == "ERR_NO_SEGMENT_FOUND"
    assert AuditEntry.objects.get().action == "segment.deleted"
    told = [each for each in events if each["event"] == "segment"]
    assert [each["payload"]["action"] for each in told] == ["create", "update", "update", "delete"]
    assert told[2]["payload"]["record"]["rules"] == changed["rules"]
    assert told[3]["payload"]["id"] == changed["id"]
    room = role_room(admin.company_id, Permission.CAMPAIGNS)
    assert {tuple(each["rooms"]) for each in told} == {(room,)}


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({}, "ERR_SEGMENT_WITHOUT_RULES"),
        ({"city": "  ", "tagIds": []}, "ERR_SEGMENT_WITHOUT_RULES"),
        ({"fieldValue": "Santos"}, "ERR_VALIDATION"),
        ({"lastContactFrom": "2026-05-11", "lastContactTo": "2026-05-10"}, "ERR_VALIDATION"),
        ({"lastContactFrom": "ontem"}, "ERR_VALIDATION"),
        ({"lastContactFrom": "0001-01-01"}, "ERR_VALIDATION"),
        ({"lastContactTo": "9999-12-31"}, "ERR_VALIDATION"),
        ({"tagIds": list(range(1, 102))}, "ERR_VALIDATION"),
        ({"tagIds": [2**62]}, "ERR_NO_TAG_FOUND"),
        ({"queueIds": [2**62]}, "ERR_NO_QUEUE_FOUND"),
        ("tudo", "ERR_VALIDATION"),
    ],
)
def test_rules_that_say_nothing_or_nonsense_are_refused(client: Any, rules: Any, code: str) -> None:
    answer = client.post("/api/segments", {"name": "Todos", "rules": rules}, format="json")
    assert answer.status_code in (400, 404)
    assert answer.json()["code"] == code
    assert not Segment.objects.exists()


def test_attendants_read_none(client_for: ClientFor, agent: User) -> None:
    assert client_for(agent).get("/api/segments/").status_code == 403


def test_a_page_takes_few_queries(
    client: Any, acme: Company, django_assert_max_num_queries: Any
) -> None:
    for _ in range(5):
        make_segment(acme, city="Recife")
    with django_assert_max_num_queries(8):
        client.get("/api/segments/")


def test_one_that_a_scheduled_campaign_takes_its_recipients_from_stays(
    client: Any, acme: Company, due: Make
) -> None:
    segment = make_segment(acme, city="Recife")
    campaign = due(segment=segment, scheduled_at=timezone.now() + timedelta(days=1))
    answer = client.delete(f"/api/segments/{segment.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_SEGMENT_IN_USE")
    Campaign.objects.filter(pk=campaign.pk).finish(status="INATIVA")
    assert client.delete(f"/api/segments/{segment.pk}").status_code == 200
    assert Campaign.objects.get().segment_id is None


def test_a_campaign_goes_to_list_tag_and_segment_each_number_once(
    clock: Clock, acme: Company, qr: Connection, due: Make, people: ContactList
) -> None:
    tag = make_tag(acme)
    ana, _, out = (person(acme, name, cidade="Recife") for name in ("Ana", "Bia", "Fora"))
    make_ticket(acme, contact=ana, connection=qr, status="closed").tags.add(tag)
    in_list = person(acme, "Da lista", cidade="Recife")
    Contact.objects.filter(pk=in_list.pk).update(
        number="551184321100", canonical_number="5511984321100"
    )
    OptOut.objects.create(company=acme, canonical_number=out.canonical_number)
    segment = make_segment(acme, city="recife")
    due(tag=tag, segment=segment)
    assert send_due(limit=10) == 1
    person(acme, "Depois", cidade="Recife")
    Segment.objects.all().delete()
    rows = CampaignRecipient.objects.order_by("id").values_list("name", "state")
    assert list(rows) == [
        *((f"Pessoa {place}", "pending") for place in (1, 2, 3)),
        ("Ana", "pending"),
        ("Bia", "pending"),
        ("Fora", "skipped"),
    ]
