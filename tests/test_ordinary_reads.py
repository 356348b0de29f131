"""How many statements the reads of open browsers take, with authentication; what their rows are.

Lists make their rows by hand (decision 4), and must make those of the serializers that declare
them.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.queries import users_by_name
from apps.accounts.serializers import UserSerializer
from apps.accounts.tokens import make_access_token
from apps.campaigns.models import CampaignStatus
from apps.chat.queries import chats_of
from apps.chat.serializers import ChatSerializer
from apps.common.encryption import MASK
from apps.common.leases import LeaseState
from apps.common.renderers import to_json
from apps.common.serializers import rows_of
from apps.companies.models import Company
from apps.connections.models import Connection, SendPace
from apps.connections.serializers.connections import ConnectionSerializer
from apps.contacts.models import Contact
from apps.contacts.queries import tags_of
from apps.contacts.serializers.contacts import ContactSerializer
from apps.contacts.serializers.tags import TagSerializer
from apps.queues.models import Queue
from tests import factories

pytestmark = pytest.mark.django_db
MANY = 21  # one more than a page
Ask = Callable[[str], Any]


@pytest.fixture
def ask(admin: User) -> Ask:
    client = APIClient(headers={"Authorization": f"Bearer {make_access_token(admin)}"})

    def answer(path: str) -> Any:
        got = client.get(path)
        assert got.status_code == 200, got.content
        return got.json()

    return answer


@pytest.fixture
def busy(acme: Company, admin: User, queue: Queue) -> dict[str, int]:
    """A company with more than a page of all; returns the ids that the calls name."""
    others = [factories.make_user(acme, queues=[queue]) for _ in range(MANY)]
    numbers = [factories.make_connection(acme, queues=[queue]) for _ in range(3)]
    for other in others:
        factories.make_chat(admin, other)
        factories.make_tag(acme)
        queue.options.create(title="Opção")
    campaign = factories.make_campaign(
        acme,
        connection=numbers[0],
        started_at=timezone.now(),
        status=CampaignStatus.FINISHED,
        state=LeaseState.DONE,
    )
    contact = factories.make_contact(acme, connection=numbers[0])
    contact.extra_info.create(name="CPF", value="1")
    return {"queue": queue.pk, "contact": contact.pk, "campaign": campaign.pk}


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("/api/chats/?pageNumber=1", 4),
        ("/api/users/?pageNumber=1", 4),
        ("/api/users/list", 4),
        ("/api/queue", 2),
        ("/api/queue/{queue}", 3),
        ("/api/whatsapp/?session=0", 3),
        ("/api/contacts/{contact}", 2),
        ("/api/tags/?pageNumber=1", 3),
        ("/api/tags/list", 2),
        ("/api/tickets/counts?showAll=true", 2),
        ("/api/campaigns/{campaign}/report", 5),
    ],
)
def test_a_read_takes_so_many_statements(
    ask: Ask, busy: dict[str, int], path: str, count: int
) -> None:
    ask(path.format(**busy))
    with CaptureQueriesContext(database) as captured:
        ask(path.format(**busy))
    assert len(captured) == count


def shown(rows: Any) -> Any:
    return orjson.loads(to_json(rows))


def test_listed_rows_are_those_of_their_serializers(
    ask: Ask, busy: dict[str, int], acme: Company, admin: User
) -> None:
    User.objects.filter(pk=admin.pk).update(online_until=timezone.now() + timedelta(1))
    users = shown(rows_of(UserSerializer, users_by_name(acme.pk)))
    assert ask("/api/users/list") == users
    assert ask("/api/users/")["users"] + ask("/api/users/?pageNumber=2")["users"] == users
    tags = shown(rows_of(TagSerializer, tags_of(acme.pk)))
    assert ask("/api/tags/list") == tags
    assert ask("/api/tags/")["tags"] + ask("/api/tags/?pageNumber=2")["tags"] == tags
    chats = shown(rows_of(ChatSerializer, chats_of(admin)))
    pages = [ask("/api/chats/"), ask("/api/chats/?pageNumber=2")]
    assert pages[0]["records"] + pages[1]["records"] == chats
    assert [page["count"] for page in pages] == [MANY, MANY]
    contact = Contact.objects.get(pk=busy["contact"])
    assert ask(f"/api/contacts/{contact.pk}") == shown(rows_of(ContactSerializer, [contact]))[0]
    one = ask(f"/api/queue/{busy['queue']}")
    options = one.pop("options")
    assert ask("/api/queue") == [one]
    assert [row["option"] for row in options] == [1 + each for each in range(MANY)]


def test_listed_connections_are_those_of_their_serializer(ask: Ask, busy: dict[str, int]) -> None:
    young, *_ = Connection.objects.order_by("pk")
    Connection.objects.filter(pk=young.pk).update(warmup_contacts=5)
    ends_at = timezone.now() + timedelta(hours=1)
    SendPace.objects.update_or_create(
        connection=young,
        defaults={"day_ends_at": ends_at, "day_ceiling": 5, "day_contacts": [1, 2]},
    )
    rows = ask("/api/whatsapp/?session=0")
    assert rows == shown(rows_of(ConnectionSerializer, Connection.objects.all()))
    told = [(row["newContactsToday"], row["newContactsCeiling"]) for row in rows]
    assert told == [(2, 5), (0, None), (0, None)]
    assert {row["accessToken"] for row in rows} == {MASK}


def test_another_companys_records_are_not_found(busy: dict[str, int], outsider: User) -> None:
    client = APIClient(headers={"Authorization": f"Bearer {make_access_token(outsider)}"})
    for path in ("queue/{queue}", "contacts/{contact}"):
        assert client.get(f"/api/{path.format(**busy)}").status_code == 404
    for path in ("queue", "contacts"):
        assert client.get(f"/api/{path}/{2**63}").status_code == 404
