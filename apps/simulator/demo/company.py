"""The demo's companies, users, queues, tags and connection."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.operator import open_company, set_up_operator
from apps.accounts.services.users import create_user
from apps.billing.services import ensure_plan
from apps.companies.models import Company
from apps.connections.models import (
    Connection,
    ConnectionStatus,
    OperatorAccount,
    ProviderKind,
)
from apps.contacts.models import Tag
from apps.queues.models import Queue
from apps.simulator.demo import people
from apps.simulator.models import SimNumber

PASSWORD = "balcao123"  # noqa: S105 the known password of a demo that never runs in production
SUPER_EMAIL = "super@balcao.local"
DEMO_NAME, DEMO_ADMIN = "Casa Aroeira", "admin@demo.local"
OTHER_NAME, OTHER_ADMIN = "Outra Empresa", "admin@outra.local"
PHONE_NUMBER_ID, WABA_ID = "100000000000001", "200000000000001"
PHONE = "+55 11 94002-8922"
PAID_DAYS = 30
PUBLIC_PLAN = "Loja"


@dataclass(frozen=True)
class Demo:
    company: Company
    users: dict[str, User]
    queues: dict[str, Queue]
    tags: dict[str, Tag]
    lanes: list[Tag]
    connection: Connection


def keep_paid_up() -> None:
    """Extend the due dates of the demo companies that would expire within a week."""
    soon = date.today() + timedelta(days=7)
    for company in Company.objects.filter(name__in=[DEMO_NAME, OTHER_NAME], due_date__lt=soon):
        company.due_date = date.today() + timedelta(days=PAID_DAYS)
        company.save(update_fields=["due_date", "updated_at"])


def make_companies() -> Demo:
    """Create company 1, the demo company with its users, queues and connection, and a second
    company.
    """
    set_up_operator(email=SUPER_EMAIL, password=PASSWORD)
    plan = ensure_plan(name="Demonstração", is_public=False)
    # What a visitor who signs up chooses.
    ensure_plan(name=PUBLIC_PLAN, value=Decimal("199.90"))
    due = date.today() + timedelta(days=PAID_DAYS)
    company, admin = open_company(
        name=DEMO_NAME,
        plan_id=plan.pk,
        due_date=due,
        admin_name=people.STAFF[0][1],
        admin_email=DEMO_ADMIN,
        admin_password=PASSWORD,
        phone=PHONE,
    )
    open_company(
        name=OTHER_NAME,
        plan_id=plan.pk,
        due_date=due,
        admin_name="Olívia Torres",
        admin_email=OTHER_ADMIN,
        admin_password=PASSWORD,
    )
    queues = {
        name: Queue.objects.create(
            company=company, name=name, color=color, order=order, greeting_message=greeting
        )
        for order, (name, color, greeting) in enumerate(people.QUEUES, start=1)
    }
    users = {DEMO_ADMIN: admin}
    for email, name, profile, names in people.STAFF[1:]:
        users[email] = create_user(
            company=company,
            name=name,
            email=email,
            password=PASSWORD,
            profile=profile,
            queue_ids=[queues[queue].pk for queue in names],
        )
    admin.queues.set(queues.values())
    connection = Connection.objects.create(
        company=company,
        name="Loja Centro",
        number="".join(c for c in PHONE if c.isdigit()),
        provider=ProviderKind.OFFICIAL,
        status=ConnectionStatus.CONNECTED,
        is_default=True,
        phone_number_id=PHONE_NUMBER_ID,
        waba_id=WABA_ID,
        verified_at=timezone.now(),
        greeting_message="Olá! Você está falando com a Casa Aroeira.",
    )
    OperatorAccount.objects.create(company=company, waba_id=WABA_ID)
    connection.queues.set([queues["Vendas"]])
    tags = {
        name: Tag.objects.create(company=company, name=name, color=color)
        for name, color in people.TAGS.items()
    }
    lanes = [
        Tag.objects.create(company=company, name=name, color=color, is_kanban=True)
        for name, color in people.LANES.items()
    ]
    return Demo(company, users, queues, tags, lanes, connection)


def make_number() -> SimNumber:
    """Register the demo number in the fake Graph API."""
    number, _ = SimNumber.objects.update_or_create(
        phone_number_id=PHONE_NUMBER_ID,
        defaults={
            "waba_id": WABA_ID,
            "display_phone_number": PHONE,
            "verified_name": DEMO_NAME,
        },
    )
    return number
