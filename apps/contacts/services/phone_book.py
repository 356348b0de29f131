"""The import of a connected phone's address book (rules/contacts §6)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.content import AddressEntry
from apps.connections.services import provider_for
from apps.contacts import events
from apps.contacts.models import Contact
from apps.contacts.numbers import digits, lid_of
from apps.contacts.services.senders import PERSON_NAME_LENGTH, Sender, upsert_contacts
from apps.contacts.services.typed_numbers import is_well_formed

BATCH = 500


class NoConnectedNumber(DomainError):
    """No number of the company is connected."""

    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "Nenhum número está conectado. Conecte um na página de conexões e tente de novo."


class ContactsNotListable(DomainError):
    """The provider of the connected number has no address book."""

    code = "ERR_CONTACTS_NOT_LISTABLE"
    message = (
        "Este número não permite listar os contatos: a API oficial do WhatsApp não tem agenda. "
        "Importe por um número conectado com QR Code."
    )


class ContactsUnavailable(DomainError):
    """The phone did not send its address book."""

    status = 409
    code = "ERR_CONTACTS_UNAVAILABLE"
    message = "O telefone não respondeu com a agenda. Confira a conexão e tente de novo."


@dataclass
class Import:
    """The result of an import.

    Of `count` entries `created` became new contacts, `updated` contacts got a missing name,
    `existing` stayed the same, and `invalid` have no usable number.
    """

    count: int = 0
    created: int = 0
    updated: int = 0
    existing: int = 0
    invalid: int = 0


def import_contacts(*, actor: User, ip_address: str | None = None) -> Import:
    """Import the address book of a connected number of the actor's company, audited.

    Existing names stay. Raises NoConnectedNumber, ContactsNotListable and ContactsUnavailable. It
    waits for the network: never call it inside a transaction. Contacts that were stored before a
    failure stay; another import continues.
    """
    connection, provider = _listing_number(actor)
    done = Import()
    try:
        book = iter(provider.list_contacts())
        while entries := list(islice(book, BATCH)):
            _store(connection, entries, done)
    except ProviderError as error:
        raise ContactsUnavailable(error.message) from error
    finally:
        provider.close()
        if done.created or done.updated:
            events.contacts_imported(company_id=actor.company_id)
    record(
        action="contacts.imported",
        actor=actor,
        company_id=actor.company_id,
        target=connection,
        detail={"created": done.created, "count": done.count},
        ip_address=ip_address,
    )
    return done


@transaction.atomic
def learn_addresses(*, connection: Connection, entries: Sequence[AddressEntry]) -> int:
    """Store entries of a phone's address book as contacts; return the number of new ones.

    Existing names stay. Browsers get one event for all contacts.
    """
    done = Import()
    _store(connection, entries, done)
    if done.created or done.updated:
        events.contacts_imported(company_id=connection.company_id)
    return done.created


def _listing_number(actor: User) -> tuple[Connection, Provider]:
    """Return the number whose address book is read: the actor's own, the default, else any with
    one.
    """
    connected = Connection.objects.for_company(actor.company_id).filter(
        status=ConnectionStatus.CONNECTED
    )
    numbers = sorted(
        connected, key=lambda each: (each.pk != actor.connection_id, not each.is_default, each.pk)
    )
    if not numbers:
        raise NoConnectedNumber
    for connection, provider in _providers(numbers):
        if provider.capabilities.list_contacts:
            return connection, provider
        provider.close()
    raise ContactsNotListable


def _providers(numbers: Sequence[Connection]) -> Iterator[tuple[Connection, Provider]]:
    for connection in numbers:
        try:
            yield connection, provider_for(connection)
        except ProviderError:
            continue


def _store(connection: Connection, entries: Iterable[AddressEntry], done: Import) -> None:
    """Store a batch of entries and count the results."""
    senders: list[Sender] = []
    names: dict[int, str] = {}
    for entry in entries:
        done.count += 1
        name = entry.name.replace("\x00", "").strip()[:PERSON_NAME_LENGTH]
        number = digits(entry.number)
        if not is_well_formed(number) and not (lid_of(entry.lid) and not number):
            done.invalid += 1
            continue
        names[len(senders)] = name
        senders.append(
            Sender(connection.company_id, number, name, connection_id=connection.pk, lid=entry.lid)
        )
    if not senders:
        return
    newest = Contact.objects.for_company(connection.company_id).order_by("-pk").first()
    contacts = upsert_contacts(senders, tells=False)
    seen: set[int] = set()
    for place, contact in enumerate(contacts):
        if contact.pk in seen:
            done.existing += 1
            continue
        seen.add(contact.pk)
        if newest is None or contact.pk > newest.pk:
            done.created += 1
        elif names[place] and _is_nameless(contact):
            contact.name = names[place]
            contact.save(update_fields=["name", "updated_at"])
            done.updated += 1
        else:
            done.existing += 1


def _is_nameless(contact: Contact) -> bool:
    return not contact.name or digits(contact.name) == contact.number
