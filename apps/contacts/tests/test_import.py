"""POST /contacts/import: the address book of the connected phone."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.reasons import ReasonCode
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.base import Capabilities, ProviderError
from apps.connections.providers.content import AddressEntry
from apps.contacts.models import Contact
from apps.contacts.services import phone_book
from conftest import ClientFor
from tests.factories import make_connection, make_contact

pytestmark = pytest.mark.django_db
URL = "/api/contacts/import"
CAN_LIST = Capabilities(
    edit=True,
    delete=True,
    react=True,
    native_menus=False,
    templates=False,
    session_window=False,
    list_contacts=True,
)


class Phone:
    """What stands in for a provider with an address book; with `fault` it breaks off after it."""

    capabilities = CAN_LIST

    def __init__(self, entries: Iterable[AddressEntry], fault: str = "") -> None:
        self.entries, self.fault, self.is_closed = entries, fault, False

    def list_contacts(self) -> Iterator[AddressEntry]:
        yield from self.entries
        if self.fault:
            raise ProviderError(self.fault, reason=ReasonCode.UNREACHABLE)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def use_phone(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(phone: Phone) -> Phone:
        monkeypatch.setattr(phone_book, "provider_for", lambda connection: phone)
        return phone

    return use


def test_an_official_number_says_that_it_has_no_address_book(
    client_for: ClientFor, agent: User, connection: Connection
) -> None:
    answer = client_for(agent).post(URL)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_CONTACTS_NOT_LISTABLE")
    assert "não permite listar os contatos" in answer.json()["error"]


def test_without_a_connected_number_there_is_nothing_to_ask(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    make_connection(acme, status="DISCONNECTED")
    answer = client_for(agent).post(URL)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NO_DEF_WAPP_FOUND")


def test_an_address_book_becomes_contacts(
    client_for: ClientFor,
    agent: User,
    acme: Company,
    connection: Connection,
    events: list[dict[str, Any]],
    use_phone: Any,
) -> None:
    named = make_contact(acme, name="Dona Ana", number="5511987654321")
    nameless = make_contact(acme, name="+55 11 91111-2222", number="5511911112222")
    phone = use_phone(
        Phone(
            [
                AddressEntry("5511987654321", "Ana da Silva"),
                AddressEntry("551187654321", "Ana sem o nono dígito"),
                AddressEntry("5511911112222", "Bruno"),
                AddressEntry("5511933334444", "Carla"),
                AddressEntry("5511933334444", "Carla de novo"),
                AddressEntry("", "Só LID", lid="12345@lid"),
                AddressEntry("190", "Polícia"),
                AddressEntry("", "Nada"),
            ]
        )
    )
    answer = client_for(agent).post(URL)
    assert answer.json() == {"count": 8, "created": 2, "updated": 1, "existing": 3, "invalid": 2}
    named.refresh_from_db()
    nameless.refresh_from_db()
    assert (named.name, nameless.name) == ("Dona Ana", "Bruno")
    new = Contact.objects.exclude(pk__in=[named.pk, nameless.pk]).order_by("pk")
    assert {(each.name, each.connection_id) for each in new} == {
        ("Carla", connection.pk),
        ("Só LID", connection.pk),
    }
    assert phone.is_closed
    assert [event["payload"] for event in events] == [{"action": "reload"}]
    entry = AuditEntry.objects.get(action="contacts.imported")
    assert (entry.actor, entry.detail) == (agent, {"created": 2, "count": 8})


def test_many_entries_take_few_queries_and_one_event(
    client_for: ClientFor,
    agent: User,
    connection: Connection,
    events: list[dict[str, Any]],
    use_phone: Any,
    django_assert_max_num_queries: Any,
) -> None:
    use_phone(Phone(AddressEntry(f"55119{n:08d}", f"Pessoa {n}") for n in range(1200)))
    with django_assert_max_num_queries(100):
        answer = client_for(agent).post(URL)
    assert answer.json()["created"] == Contact.objects.count() == 1200
    assert len(events) == 1


def test_a_phone_that_breaks_off_is_told_and_what_came_stays(
    client_for: ClientFor, agent: User, connection: Connection, use_phone: Any
) -> None:
    entries = [AddressEntry(f"55119{n:08d}", f"Pessoa {n}") for n in range(600)]
    use_phone(Phone(entries, fault="O telefone está sem internet."))
    answer = client_for(agent).post(URL)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_CONTACTS_UNAVAILABLE")
    assert answer.json()["message"] == "O telefone está sem internet."
    assert Contact.objects.count() == 500
    use_phone(Phone(entries))
    again = client_for(agent).post(URL).json()
    assert (again["created"], again["existing"]) == (100, 500)


def test_the_users_own_number_is_asked_before_the_default(
    client_for: ClientFor,
    agent: User,
    acme: Company,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = make_connection(acme, name="Do Bob")
    agent.connection = own
    agent.save()
    asked = []

    def provider_for(connection: Connection) -> Phone:
        asked.append(connection)
        return Phone([])

    monkeypatch.setattr(phone_book, "provider_for", provider_for)
    client_for(agent).post(URL)
    assert asked == [own]
