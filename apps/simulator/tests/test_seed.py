from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone

from apps.accounts.models import User
from apps.billing.queries import public_plans
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.desk.models import Rehearsal, Subject
from apps.desk.services.rehearsals.reports import report_of
from apps.desk.services.rehearsals.requests import request_rehearsal
from apps.queues.trees import OptionNode
from apps.simulator.demo.company import PUBLIC_PLAN
from apps.simulator.models import SimCustomer, SimMessage
from apps.tickets.models import Message, MessageReaction, Ticket, TrackingCycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(db: None) -> Iterator[Company]:
    call_command("seed_demo")
    yield Company.objects.get(name="Casa Aroeira")


def counts() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


def test_seeding_twice_changes_nothing(demo: Company) -> None:
    before = counts()
    call_command("seed_demo")
    assert counts() == before


def test_the_agreed_logins_work(demo: Company) -> None:
    for email in ("super@balcao.local", "admin@demo.local", "ana@demo.local"):
        assert User.objects.get(email=email).check_password("balcao123")
    assert User.objects.get(email="super@balcao.local").company_id == 1
    assert demo.users.count() == 4
    assert {user.name for user in demo.users.filter(profile="admin")} == {"Camila Duarte"}
    other = User.objects.get(email="admin@outra.local").company
    assert not Ticket.objects.for_company(other).exists()


def test_a_visitor_finds_a_plan_to_sign_up_for(demo: Company) -> None:
    assert [plan.name for plan in public_plans()] == [PUBLIC_PLAN]


def test_the_number_leads_to_one_of_three_queues(demo: Company) -> None:
    connection = Connection.objects.get(phone_number_id="100000000000001")
    assert (connection.waba_id, connection.is_default) == ("200000000000001", True)
    assert connection.queues.count() == 1
    assert demo.queues.count() == 3


def test_a_second_number_has_a_bot_that_leads_to_all_queues(demo: Company) -> None:
    connection = Connection.objects.get(phone_number_id="100000000000002")
    assert (connection.is_default, connection.queues.count()) == (False, 3)
    assert connection.greeting_message
    trees = {queue.name: queue.options.count() for queue in demo.queues.all()}
    # The queue of the first number has none: who writes there waits for a person.
    assert trees == {"Vendas": 0, "Trocas e devoluções": 4, "Financeiro": 2}


def test_it_looks_like_a_business(demo: Company) -> None:
    tickets = Ticket.objects.for_company(demo)
    status = dict(tickets.order_by().values_list("status").annotate(Count("id")))
    assert status["closed"] >= 250
    assert status["open"] >= 20
    assert status["pending"] >= 10
    messages = Message.objects.for_company(demo)
    assert messages.count() >= 1500
    kinds = set(messages.order_by().values_list("media_type", flat=True).distinct())
    assert {"image", "audio", "video", "application", "sticker", "vcard", "locationMessage"} < kinds
    assert messages.filter(quoted__isnull=False).exists()
    assert MessageReaction.objects.exists()
    assert messages.filter(ack=-1).exclude(error_reason="").count() == 1
    assert tickets.filter(is_group=True).count() == 2
    assert Contact.objects.for_company(demo).exclude(email="").exists()
    assert not messages.filter(body__contains="{").exists()


def test_rows_agree_with_each_other(demo: Company) -> None:
    tickets = Ticket.objects.for_company(demo).select_related("latest_message", "user", "queue")
    now = timezone.now()
    live: set[int] = set()
    for ticket in tickets.prefetch_related("user__queues"):
        cycle = TrackingCycle.objects.get(ticket=ticket)
        assert (cycle.finished_at is not None) == (ticket.status == "closed")
        # Nobody took what still waits, or what its contact left with the bot.
        is_left = ticket.activities.filter(kind="expired").exists()
        waits = ticket.status == "pending"
        assert (cycle.started_at is None) == (waits or is_left) == (ticket.user is None)
        assert ticket.created_at <= ticket.updated_at <= now
        if ticket.user:
            assert ticket.queue in ticket.user.queues.all()
        if ticket.status != "closed":
            assert ticket.contact_id not in live
            live.add(ticket.contact_id)
    newest = {m.ticket_id: m.pk for m in Message.objects.for_company(demo).order_by("id")}
    assert all(ticket.latest_message_id == newest[ticket.pk] for ticket in tickets)
    unread = Ticket.objects.for_company(demo).filter(unread_count__gt=0)
    for ticket in unread:
        waiting = ticket.messages.filter(from_me=False, is_read=False)
        assert waiting.count() == ticket.unread_count


def test_messages_lie_in_the_order_of_their_times(demo: Company) -> None:
    times = list(Message.objects.for_company(demo).order_by("id").values_list("created_at"))
    assert times == sorted(times)
    assert times[-1][0] <= timezone.now()


def test_tickets_of_one_contact_do_not_overlap(demo: Company) -> None:
    ends: dict[int, Any] = {}
    for ticket in Ticket.objects.for_company(demo).order_by("created_at"):
        assert ticket.contact_id not in ends or ends[ticket.contact_id] < ticket.created_at
        ends[ticket.contact_id] = ticket.closed_at or timezone.now()


def test_the_customers_telephones_know_the_live_conversations(demo: Company) -> None:
    people = Contact.objects.for_company(demo).filter(is_group=False)
    assert SimCustomer.objects.filter(wa_id__in=people.values("number")).count() >= 150
    live = Ticket.objects.for_company(demo).filter(is_group=False).exclude(status="closed")
    wamids = Message.objects.filter(ticket__in=live, external_id__isnull=False).values(
        "external_id"
    )
    assert SimMessage.objects.filter(wamid__in=wamids).count() == wamids.count()


def test_a_demo_left_alone_for_months_is_still_paid_up(demo: Company) -> None:
    Company.objects.filter(pk=demo.pk).update(due_date=date.today() - timedelta(days=90))
    call_command("seed_demo")
    demo.refresh_from_db()
    assert demo.due_date > date.today()


def test_contacts_have_walked_through_the_bots_menus(demo: Company) -> None:
    [queue] = demo.queues.filter(name="Trocas e devoluções")
    request_rehearsal(
        actor=User.objects.get(email="admin@demo.local"),
        subject=Subject.BOT,
        days=14,
        target_id=queue.pk,
        fields={"options": [OptionNode("Quero um novo"), OptionNode("Prazo de troca")]},
    )
    report = report_of(Rehearsal.objects.get(), lambda done, total: None)
    bot = report["bot"]
    bairro = Ticket.objects.for_company(demo).filter(connection__phone_number_id="100000000000002")
    came = bairro.exclude(user=None)
    # What the bot decides of their words is what the demo says that it did.
    assert bot["before"]["began"] == bairro.count() == 40
    assert bot["before"]["people"] == came.count() == 32
    queues = {each["queueId"]: each["before"] for each in bot["queues"] if each["before"]}
    counted = came.order_by().values_list("queue").annotate(Count("id"))
    assert queues == dict(counted)
    assert bot["before"]["stopped"] > 0
    assert bot["before"]["undecided"] == dict.fromkeys(bot["before"]["undecided"], 0)
    # Without 'Produto com defeito' other ways are taken.
    assert report["changed"] > 0
    menus = Message.objects.filter(ticket__in=bairro, source="bot")
    assert menus.filter(body__contains="*2* - Trocas e devoluções").count() >= 40
    assert not menus.filter(body__contains="{").exists()
