"""The demo's contacts, and the same people as customers of the simulator."""

from datetime import datetime
from random import Random

from apps.common.media import store_media
from apps.common.search import fold
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact, ContactField
from apps.contacts.numbers import canonical_number
from apps.simulator.demo import people
from apps.simulator.models import SimCustomer
from apps.simulator.services.media import SAMPLES

PEOPLE = 150
FACES = 8


def person_names() -> list[str]:
    """Return the contacts' names, those with open or pending tickets first.

    '' stands for a contact without a name.
    """
    random = Random(7)  # noqa: S311 stories, not secrets
    names = ["Mariana Albuquerque", "Rodrigo Menezes", "Thiago Nascimento", *people.SPECIAL_NAMES]
    seen = set(names)
    while len(names) < PEOPLE:
        name = f"{random.choice(people.FIRST_NAMES)} {random.choice(people.LAST_NAMES)}"
        if len(names) % 4 == 0:
            name = f"{name} {random.choice(people.LAST_NAMES)}"
        if name not in seen:
            seen.add(name)
            names.append(name)
    return names


def person_numbers() -> list[str]:
    """Return a mobile number for every person; the first belongs to Mariana of the screenshots."""
    random = Random(11)  # noqa: S311 stories, not secrets
    codes = ["11", "11", "11", "21", "31", "19", "41", "71"]
    numbers = ["5511984321107"]
    while len(numbers) < PEOPLE:
        number = f"55{random.choice(codes)}9{random.randrange(7 * 10**7, 10**8)}"
        if number not in numbers:
            numbers.append(number)
    return numbers


def _row(company: Company, connection: Connection, name: str, number: str, email: str) -> Contact:
    shown = name or f"+{number[:2]} {number[2:4]} {number[4:9]}-{number[9:]}"
    return Contact(
        company=company,
        connection=connection,
        name=shown,
        number=number,
        canonical_number=canonical_number(number),
        email=email,
        search_text=fold(f"{shown} {number} {email}"),
    )


def make_contacts(company: Company, connection: Connection) -> list[Contact]:
    """Create the contacts: every eighth has a picture, many have an e-mail and extra fields."""
    random = Random(13)  # noqa: S311 stories, not secrets
    rows = []
    for index, (name, number) in enumerate(zip(person_names(), person_numbers(), strict=True)):
        words = fold(name).split()
        email = f"{words[0]}.{words[-1]}@exemplo.com.br" if words and index % 3 != 2 else ""
        row = _row(company, connection, name, number, email)
        if index % 8 == 4 and name not in people.SPECIAL_NAMES:
            face = f"rosto-{index // 8 % FACES + 1}.jpg"
            content = (SAMPLES / face).read_bytes()
            stored = store_media(
                company_id=company.pk, content=content, name=face, mime="image/jpeg"
            )
            row.picture_path = stored.path
        rows.append(row)
    contacts = Contact.objects.bulk_create(rows)
    extra = []
    for index, contact in enumerate(contacts):
        if index % 4 != 3:
            street = f"{random.choice(people.STREETS)}, {random.randrange(20, 900)}, São Paulo"
            extra.append(ContactField(contact=contact, name="Endereço", value=street))
        if index % 5 == 0:
            birthday = f"{random.randrange(1, 29):02}/{random.randrange(1, 13):02}"
            extra.append(ContactField(contact=contact, name="Aniversário", value=birthday))
    ContactField.objects.bulk_create(extra)
    return contacts


def make_groups(company: Company, connection: Connection) -> list[Contact]:
    rows = []
    for number, name in people.GROUPS:
        row = _row(company, connection, name, number, "")
        row.is_group = True
        rows.append(row)
    return Contact.objects.bulk_create(rows)


def make_speakers(company: Company, connection: Connection) -> dict[str, Contact]:
    """Create the contacts who write in groups."""
    names = sorted({name for name, _ in people.GROUP_LINES})
    rows = [
        _row(company, connection, name, f"553198877{index:04}", "")
        for index, name in enumerate(names, start=1)
    ]
    return dict(zip(names, Contact.objects.bulk_create(rows), strict=True))


def make_customers() -> list[SimCustomer]:
    """Create the same people as simulated customers, so that they can answer from the phone
    page.
    """
    rows = []
    for index, (name, number) in enumerate(zip(person_names(), person_numbers(), strict=True)):
        has_face = index % 8 == 4 and name not in people.SPECIAL_NAMES
        photo = f"rosto-{index // 8 % FACES + 1}.jpg" if has_face else ""
        rows.append(SimCustomer(wa_id=number, name=name or number, photo=photo))
    SimCustomer.objects.bulk_create(rows, ignore_conflicts=True)
    found = {row.wa_id: row for row in SimCustomer.objects.all()}
    return [found[number] for number in person_numbers()]


def date_contacts(contacts: list[Contact], first_seen: dict[int, datetime]) -> None:
    """Set each contact's timestamps to those of its first ticket."""
    for contact in contacts:
        if contact.pk in first_seen:
            contact.created_at = contact.updated_at = first_seen[contact.pk]
    Contact.objects.bulk_update(contacts, ["created_at", "updated_at"], batch_size=200)
