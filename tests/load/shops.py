"""The companies of a run: their people, contacts and numbers."""

from dataclasses import dataclass, field

import httpx

from apps.connections.models import Connection, ConnectionStatus
from tests import factories
from tests.bench.dataset import Business, grow, settle
from tests.load.size import MESSAGES_PER_TICKET, Size
from tests.product import wait_for
from tests.whatsapp import FakeWhatsApp

# Companies that also have a number by QR code.
QR_SHOPS = 2
QR_CONTACTS = 10
# Their contacts are counted from here, so that a text says which way it came.
FIRST_QR_CONTACT = 100_000


@dataclass
class Contact:
    """Somebody who writes; the next message waits until the one before was taken."""

    number: str
    id: int
    said: int = 0
    is_busy: bool = False


@dataclass
class Person:
    """Somebody of a company, with a session."""

    user_id: int
    company_id: int
    email: str
    token: str = ""
    cookie: str = ""
    signed_in_at: float = 0.0


@dataclass
class Shop:
    """One company; `due` has the moment of each of its messages in, by the message's number."""

    id: int
    queue_id: int
    connection_id: int
    phone_number_id: str
    waba_id: str
    contacts: list[Contact]
    people: list[Person]
    agents: int
    due: list[float] = field(default_factory=list)
    qr_number: str = ""
    qr_connection_id: int = 0
    qr_contacts: list[Contact] = field(default_factory=list)

    def next_body(self, contact: Contact, due: float) -> str:
        """Return the text of a contact's next message, which names it wherever it is seen."""
        contact.said += 1
        self.due.append(due)
        return f"load-{len(self.due) - 1}-{contact.id}-{contact.said}"


def make_shops(size: Size) -> list[Shop]:
    """Make all companies, each with its tickets of earlier days."""
    shops = [_make_shop(number, size) for number in range(size.companies)]
    settle()
    return shops


def _make_shop(number: int, size: Size) -> Shop:
    company = factories.make_company(name=f"Loja {number}")
    queue = factories.make_queue(company)
    admin = factories.make_admin(company, email=f"p0@loja{number}.example", queues=[queue])
    others = [
        factories.make_user(company, email=f"p{place}@loja{number}.example", queues=[queue])
        for place in range(1, size.people)
    ]
    connection = factories.make_connection(company, queues=[queue])
    business = Business(
        company=company,
        admin=admin,
        agents=others or [admin],
        queues=[queue],
        connection=connection,
    )
    grow(
        business,
        tickets=size.tickets,
        messages_per_ticket=MESSAGES_PER_TICKET,
        tidy=False,
    )
    return Shop(
        id=company.pk,
        queue_id=queue.pk,
        connection_id=connection.pk,
        phone_number_id=connection.phone_number_id or "",
        waba_id=connection.waba_id,
        # Those of the earlier tickets, and new ones beyond them.
        contacts=[Contact(f"5511{900_000_001 + n}", n) for n in range(size.contacts)],
        people=[Person(user.pk, company.pk, user.email) for user in [admin, *others]],
        agents=size.agents_each,
    )


def link_phones(shops: list[Shop], address: str, whatsapp: FakeWhatsApp) -> None:
    """Give the first companies a number by QR code, scanned by a phone."""
    for place, shop in enumerate(shops[:QR_SHOPS]):
        shop.qr_number = f"5511977770{place:03}"
        whatsapp.call("person", number=shop.qr_number, name=f"Loja {place}")
        headers = {"Authorization": f"Bearer {shop.people[0].token}"}
        with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
            made = client.post("/api/whatsapp", json={"name": "Celular", "provider": "beta"})
            made.raise_for_status()
            pk: int = made.json()["id"]

            def shown(client: httpx.Client = client, pk: int = pk) -> str:
                return str(client.get(f"/api/whatsapp/{pk}").json()["qrcode"])

            wait_for(lambda shown=shown: bool(shown()), "a QR code", 90)  # type: ignore[misc]
            whatsapp.call("scan", qr=shown(), number=shop.qr_number)
        phone = Connection.objects.filter(pk=pk)
        wait_for(
            lambda phone=phone: phone.filter(status=ConnectionStatus.CONNECTED).exists(),  # type: ignore[misc]
            "the phone to be linked",
            90,
        )
        phone.get().queues.set([shop.queue_id])
        phone.update(
            send_pause_seconds=0,
            send_jitter_seconds=0,
            sends_per_second=0,
            warmup_contacts=0,
            bot_quiet_seconds=0,
            joins_bot_texts=False,
        )
        shop.qr_connection_id = pk
        for n in range(QR_CONTACTS):
            # Numbers of their own: the two ways never meet in one contact.
            contact = Contact(f"55219{80_000_000 + place * 1000 + n}", FIRST_QR_CONTACT + n)
            whatsapp.call("person", number=contact.number, name=f"Cliente {n}")
            shop.qr_contacts.append(contact)
