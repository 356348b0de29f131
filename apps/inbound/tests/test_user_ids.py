"""A business-scoped user id is never cut to digits, wherever it is given (rules/contacts §2).

The digits of each user id are the number of another contact, a victim. Whether the id is taken as
another person's or refused, the victim stays as it was.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.campaigns.models import ContactList, ContactListItem, OptOut
from apps.campaigns.services.importing import import_due as import_list
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services.tokens import hash_token
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from apps.contacts.services.file_importing import import_due as import_contacts
from apps.inbound.tests.meta import ACCOUNT, METADATA, NUMBER, handle, of, seconds, tell
from apps.tickets.models import Message, Ticket
from tests.factories import make_connection, make_contact
from tests.lengths import cases
from tests.sheets import upload_of

pytestmark = pytest.mark.django_db
VICTIM = "5511987654321"
TOKEN = "t" * 43
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


class Desk:
    """The calls that take a number, of people, programs and older browsers."""

    def __init__(self, user: User, listed: ContactList) -> None:
        self.client, self.listed = APIClient(), listed
        self.client.force_authenticate(user)

    def contact(self, user_id: str) -> None:
        self.client.post("/api/contacts", {"name": "Bia", "number": user_id}, format="json")

    def contact_with_lid(self, user_id: str) -> None:
        self.client.post(
            "/api/contacts", {"name": "Bia", "number": f"{user_id}@lid"}, format="json"
        )

    def changed_contact(self, user_id: str) -> None:
        other = make_contact(self.listed.company, number="5511900000099", name="Caio")
        body = {"name": "Caio", "number": user_id}
        self.client.put(f"/api/contacts/{other.pk}", body, format="json")
        assert Contact.objects.get(pk=other.pk).canonical_number != VICTIM

    def preview(self, user_id: str) -> None:
        answer = self.client.get("/api/contacts/number", {"number": user_id})
        assert answer.json().get("number", "") == ""

    def file_number(self, user_id: str) -> None:
        self._file("/api/contacts/import-file", f"nome;numero\nBia;{user_id}\n")
        import_contacts(limit=1)
        assert Contact.objects.filter(user_id=user_id).exists()

    def file_id(self, user_id: str) -> None:
        self._file("/api/contacts/import-file", f"nome;userId\nBia;{user_id}\n")
        import_contacts(limit=1)
        assert Contact.objects.filter(user_id=user_id).exists()

    def list_file(self, user_id: str) -> None:
        self._file(f"/api/contact-lists/{self.listed.pk}/upload", f"nome;numero\nBia;{user_id}\n")
        import_list(limit=1)

    def list_person(self, user_id: str) -> None:
        body = {"name": "Bia", "number": user_id, "contactListId": self.listed.pk}
        self.client.post("/api/contact-list-items", body, format="json")

    def opt_out(self, user_id: str) -> None:
        self.client.post("/api/opt-outs", {"number": user_id}, format="json")

    def program(self, user_id: str) -> None:
        headers: dict[str, Any] = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}
        body = {"number": user_id, "body": "Oi"}
        APIClient().post("/api/messages/send", body, format="json", **headers)

    def test_message(self, user_id: str) -> None:
        number = Connection.objects.get()
        body = {"number": user_id, "body": "Oi", "clientId": "c1"}
        self.client.post(f"/api/whatsapp/{number.pk}/test", body, format="json")

    def search(self, user_id: str) -> None:
        known = Contact.objects.create(
            company=self.listed.company,
            name="Bia",
            user_id=user_id,
            canonical_number=f"lid:{user_id}",
        )
        known.fold_text()
        known.save()
        found = self.client.get("/api/contacts", {"searchParam": user_id}).json()["contacts"]
        assert [each["id"] for each in found] == [known.pk]

    def _file(self, address: str, text: str) -> None:
        form = {"file": upload_of(text.encode(), "pessoas.csv")}
        assert self.client.post(address, form, format="multipart").status_code in {200, 202}


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
