"""A business-scoped user id is never cut to digits, wherever it is given (rules/contacts §2).

The digits of each user id are the number of another contact, a victim. Whether the id is taken as
another person's or refused, the victim stays as it was.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.automation.models import WebhookDelivery
from apps.campaigns.models import CampaignSetting, ContactList, ContactListItem, OptOut
from apps.campaigns.services.sending import send_due
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services.tokens import hash_token
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from apps.inbound.tests.desk import TOKEN, VICTIM, Desk
from apps.inbound.tests.meta import ACCOUNT, METADATA, NUMBER, handle, of, seconds, tell
from apps.tickets.models import Message, Ticket
from apps.tickets.services.outbox import send_text
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.factories import (
    make_campaign,
    make_connection,
    make_contact,
    make_contact_list,
    make_webhook,
)
from tests.graph import GraphServer
from tests.lengths import cases

pytestmark = pytest.mark.django_db
USER_IDS = st.builds(
    "{}.{}{}".format,
    st.sampled_from(["BR", "US", "XX"]),
    st.sampled_from(["", "ENT."]),
    st.sampled_from([VICTIM, f"aB{VICTIM}", f"{VICTIM[:5]}x{VICTIM[5:]}", f"{VICTIM}Zz"]),
)


@pytest.fixture
def number(acme: Company, setup: Any) -> Connection:
    return make_connection(
        acme,
        phone_number_id=NUMBER,
        waba_id=ACCOUNT,
        number=METADATA["display_phone_number"],
        token_hash=hash_token(TOKEN),
        is_coexistence=True,
    )


@pytest.fixture
def setup(settings: Any, tmp_path: Any) -> None:
    settings.META_APP_SECRET = "app-secret"
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    server = GraphServer()
    settings.GRAPH_API_URL = server.url
    yield server
    server.stop()


def written(**fields: Any) -> dict[str, Any]:
    return {
        "id": "wamid.1",
        "timestamp": seconds(),
        "type": "text",
        "text": {"body": "Oi"},
    } | fields


def status(**fields: Any) -> dict[str, Any]:
    return {"id": "wamid.0", "status": "delivered", "timestamp": seconds(), **fields}


def past(user_id: str) -> dict[str, Any]:
    said = written(**{"from": user_id, "history_context": {"status": "READ"}})
    chunk = {"metadata": {"phase": 0, "chunk_order": 1, "progress": 100}}
    return of("history", history=[chunk | {"threads": [{"id": user_id, "messages": [said]}]}])


def changed(user_id: str) -> dict[str, Any]:
    system = {"type": "user_changed_number", "wa_id": user_id, "user_id": user_id, "body": "…"}
    message = {"id": "wamid.2", "timestamp": seconds(), "type": "system", "system": system}
    return of("messages", messages=[message | {"from_user_id": "BR.before"}])


# What Meta may report, with the user id in each place where a number may stand.
REPORTS: list[Callable[[str], dict[str, Any]]] = [
    lambda each: of("messages", messages=[written(**{"from": each})]),
    lambda each: of("messages", messages=[written(from_user_id=each)]),
    lambda each: of("messages", contacts=[{"wa_id": each}], messages=[written(**{"from": each})]),
    lambda each: of(
        "messages", contacts=[{"user_id": each}], messages=[written(from_user_id=each)]
    ),
    lambda each: of("messages", statuses=[status(recipient_id=each)]),
    lambda each: of("messages", statuses=[status(recipient_user_id=each)]),
    lambda each: of("smb_message_echoes", message_echoes=[written(to=each)]),
    lambda each: of("standby", standby={"messages": [written(**{"from": each})]}),
    lambda each: of("standby", standby={"statuses": [status(recipient_id=each)]}),
    lambda each: of(
        "standby",
        standby={"message_echoes": [{"id": "wamid.3", "message": written(recipient=each)}]},
    ),
    lambda each: of(
        "calls",
        calls=[{"id": "wacid.1", "event": "connect", "from": each, "timestamp": seconds()}],
    ),
    lambda each: of(
        "user_preferences",
        user_preferences=[{"wa_id": each, "category": "marketing_messages", "value": "stop"}],
    ),
    lambda each: of(
        "smb_app_state_sync",
        state_sync=[
            {
                "type": "contact",
                "action": "add",
                "contact": {"phone_number": each, "full_name": "Bia"},
            }
        ],
    ),
    lambda each: {
        "field": "messaging_handovers",
        "value": {
            "messaging_product": "whatsapp",
            "recipient": METADATA,
            "sender": {"phone_number": each},
            "timestamp": seconds(),
            "control_passed": {"metadata": ""},
        },
    },
    past,
    changed,
]


CALLS = sorted(name for name in vars(Desk) if not name.startswith("_"))


def unharmed(company: Company, number: Connection) -> Contact:
    """Return a contact whose number is made of the id's digits, with a conversation."""
    victim = make_contact(company, number=VICTIM, name="Ana")
    Ticket.objects.create(company=company, contact=victim, connection=number, status="open")
    return victim


def check(victim: Contact) -> None:
    """Nothing was made of the digits, and nothing reached whose number they are."""
    now = Contact.objects.get(pk=victim.pk)
    assert (now.name, now.number, now.user_id, now.lid) == ("Ana", VICTIM, None, None)
    assert Contact.objects.filter(canonical_number=VICTIM).count() == 1
    assert not Message.objects.filter(contact=victim).exists()
    assert not ContactListItem.objects.filter(canonical_number=VICTIM).exists()
    assert not OptOut.objects.filter(canonical_number=VICTIM).exists()
    assert victim.tickets.get().owner == "us"


ANY_EXAMPLES = settings(
    max_examples=cases(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("place", range(len(REPORTS)))
@ANY_EXAMPLES
@example(user_id=f"BR.{VICTIM}")
@given(user_id=USER_IDS)
def test_what_meta_reports(acme: Company, number: Connection, place: int, user_id: str) -> None:
    with transaction.atomic():
        victim = unharmed(acme, number)
        tell(REPORTS[place](user_id))
        handle()
        check(victim)
        people = Contact.objects.exclude(pk=victim.pk).exclude(user_id=None)
        assert set(people.values_list("user_id", flat=True)) <= {user_id}
        transaction.set_rollback(True)


@pytest.mark.parametrize("call", CALLS)
@ANY_EXAMPLES
@example(user_id=f"BR.{VICTIM}")
@given(user_id=USER_IDS)
def test_what_people_and_programs_give(
    acme: Company, number: Connection, admin: User, call: str, user_id: str
) -> None:
    with transaction.atomic():
        victim = unharmed(acme, number)
        listed = ContactList.objects.create(company=acme, name="Clientes")
        getattr(Desk(admin, listed), call)(user_id)
        check(victim)
        transaction.set_rollback(True)


def texts_of(value: Any) -> list[str]:
    """Return all texts inside a payload, at any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner)]
    return [str(value)]


def shows_no_digits(payload: Any, user_id: str) -> None:
    """What programs and Meta get has the user id whole, and never its digits alone."""
    digits = "".join(filter(str.isdecimal, user_id))
    for text in texts_of(payload):
        rest = text.replace(user_id, "")
        assert VICTIM not in rest and digits not in rest, text


@ANY_EXAMPLES
@example(user_id=f"BR.{VICTIM}")
@given(user_id=USER_IDS)
def test_what_webhooks_tell_programs(acme: Company, number: Connection, user_id: str) -> None:
    with transaction.atomic():
        make_webhook(acme)
        tell(of("messages", messages=[written(from_user_id=user_id)]))
        handle()
        told = {each.event: each.payload for each in WebhookDelivery.objects.all()}
        assert told.keys() == {"contact.created", "ticket.opened", "message.received"}
        for payload in told.values():
            shows_no_digits(payload, user_id)
            contact = payload["contact"]
            assert (contact["userId"], contact["number"]) == (user_id, f"{user_id}@lid")
        transaction.set_rollback(True)


@ANY_EXAMPLES
@example(user_id=f"BR.{VICTIM}")
@given(user_id=USER_IDS)
def test_what_a_campaign_and_an_answer_name_to_meta(
    acme: Company, number: Connection, admin: User, graph: GraphServer, user_id: str
) -> None:
    with transaction.atomic():
        victim = unharmed(acme, number)
        tell(of("messages", messages=[written(from_user_id=user_id)]))
        handle()
        listed = make_contact_list(acme, people=[("Bia", user_id)])
        for key in ("messageInterval", "longerIntervalAfter", "greaterInterval"):
            CampaignSetting.objects.update_or_create(company=acme, key=key, defaults={"value": 0})
        make_campaign(acme, connection=number, contact_list=listed, texts=["Oi, {nome}"])
        while send_due(limit=10):
            pass
        ticket = Ticket.objects.get(contact__user_id=user_id)
        Ticket.objects.filter(pk=ticket.pk).update(status="open", user=admin)
        ticket.refresh_from_db()
        send_text(user=admin, ticket=ticket, body="Respondo daqui.")
        sent = len(graph.messages)
        while deliver_due(limit=10):
            pass
        ours = [each for each in graph.messages[sent:] if each["type"] == "text"]
        assert [each["text"]["body"] for each in ours] == ["Oi, Bia", "Respondo daqui."]
        for payload in ours:
            assert payload["recipient"] == user_id and "to" not in payload
            shows_no_digits(payload, user_id)
        check(victim)
        transaction.set_rollback(True)


def card(phone: dict[str, str], origin: str) -> dict[str, Any]:
    """Return what a person known by user id alone sends: a card, perhaps the asked-for one."""
    shared = {"name": {"formatted_name": "Bia"}, "phones": [phone], "origin": origin}
    fields = {"type": "contacts", "contacts": [shared], "from_user_id": "BR.1a"}
    return of("messages", messages=[written(**fields)])


@pytest.mark.parametrize(
    "phone", [{"wa_id": VICTIM}, {"phone": "+55 11 98765-4321"}, {"phone": f"+{VICTIM}"}]
)
def test_a_shared_number_joins_the_contact(
    acme: Company, number: Connection, phone: dict[str, str]
) -> None:
    known = upsert_contact(company_id=acme.pk, number="", lid="BR.1a", name="Bia")
    tell(card(phone, "contact_request"))
    handle()
    contact = Contact.objects.get()
    assert (contact.pk, contact.name, contact.user_id) == (known.pk, "Bia", "BR.1a")
    assert (contact.number, contact.canonical_number) == (VICTIM, VICTIM)
    assert Message.objects.get().ticket.contact == contact


@pytest.mark.parametrize("is_one_batch", [False, True])
def test_a_shared_number_of_a_known_contact_makes_them_one(
    acme: Company, number: Connection, is_one_batch: bool
) -> None:
    known = make_contact(acme, number=VICTIM, name="Ana")
    tell(of("messages", messages=[written(id="wamid.0", from_user_id="BR.1a")]))
    if not is_one_batch:
        handle()
    tell(card({"wa_id": VICTIM}, "contact_request"))
    handle()
    contact = Contact.objects.get()
    assert (contact.pk, contact.name, contact.user_id) == (known.pk, "Ana", "BR.1a")
    assert {each.ticket.contact_id for each in Message.objects.all()} == {known.pk}


@pytest.mark.parametrize(
    ("phone", "origin"),
    [
        ({"wa_id": VICTIM}, "other"),
        ({"phone": "BR.1a"}, "contact_request"),
        ({}, "contact_request"),
    ],
)
def test_any_other_card_is_only_a_message(
    acme: Company, number: Connection, phone: dict[str, str], origin: str
) -> None:
    tell(card(phone, origin))
    handle()
    assert Contact.objects.get().canonical_number == "lid:BR.1a"
    assert Message.objects.get().media_type == "vcard"
