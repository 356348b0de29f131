"""What comes from `dollyzn/whaticket-saas`, into an installation that has company 1 alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.automation.models import Prompt, QueueIntegration
from apps.billing.models import Invoice, Plan
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    ContactList,
    ContactListItem,
)
from apps.chat.models import Chat
from apps.common.leases import leased_models
from apps.common.search import fold
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection, ConnectionQueue
from apps.contacts.models import Contact, Tag, TicketNote
from apps.library.models import QuickMessage
from apps.movein.services.report import Report
from apps.movein.tests.conftest import Sourced, go
from apps.movein.tests.shop import LID, ONE_UUID, later, shop_a
from apps.queues.models import Queue, QueueOption
from apps.schedules.models import Schedule
from apps.tickets.models import (
    Delivery,
    Message,
    MessageReaction,
    Rating,
    Ticket,
    TrackingCycle,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def report(operator_company: Company, source: Sourced) -> Report:
    return go(source(shop_a()))


@pytest.fixture
def shop(report: Report) -> Company:
    return Company.objects.get(name="Loja da Ana")


def test_companies_plans_and_settings(shop: Company) -> None:
    assert shop.pk == 2
    operator = Company.objects.get(pk=1)
    assert (operator.name, operator.is_enabled) == ("Operadora", True)
    assert shop.due_date == timezone.now().date() + timedelta(days=30)
    assert shop.plan.connections == 1
    monday, tuesday = shop.schedules[:2]
    assert (monday["startTime"], tuesday["startTime"]) == ("09:00", "")
    settings = dict(CompanySetting.objects.for_company(shop).values_list("key", "value"))
    assert settings == {"userRating": "enabled"}
    paces = dict(CampaignSetting.objects.for_company(shop).values_list("key", "value"))
    assert paces == {"messageInterval": 15, "variables": [{"key": "loja", "value": "Ana"}]}
    invoice = Invoice.objects.get(company=shop)
    assert (str(invoice.value), str(invoice.due_date), invoice.status) == (
        "99.90",
        "2025-05-01",
        "open",
    )
    assert Plan.objects.filter(name="Plano 1").count() == 1


def test_queues_options_and_what_leads_them(shop: Company) -> None:
    first, second = Queue.objects.for_company(shop).order_by("pk")
    assert (first.name, second.name) == ("Vendas", "VENDAS (2)")
    assert first.color.lower() != second.color.lower()
    assert first.prompt == Prompt.objects.get(company=shop)
    assert first.integration == QueueIntegration.objects.get(company=shop)
    assert first.integration and first.integration.url == "http://10.0.0.5/hook"
    assert first.integration.signing_secret
    assert Prompt.objects.get().api_key == "sk-1"
    top, *below = QueueOption.objects.order_by("parent_id", "position").filter(queue=first)
    options = {each.title: each for each in (top, *below)}
    assert options["Camisas"].parent == options["Calças"].parent == options["Preços"]
    assert options["Calças"].position < options["Camisas"].position


def test_a_connection_waits_for_its_scan(shop: Company) -> None:
    connection = Connection.objects.get()
    assert (connection.status, connection.provider) == ("DISCONNECTED", "beta")
    assert (connection.number, connection.is_default) == ("5511911110000", True)
    assert (connection.minutes_to_transfer, connection.ticket_expires_minutes) == (0, 0)
    assert connection.token_hash is None and connection.warmup_contacts == 0
    assert connection.transfer_queue == Queue.objects.get(name="Vendas")
    assert ConnectionQueue.objects.count() == 1


def test_users(shop: Company) -> None:
    users = {each.name: each for each in User.objects.all()}
    assert set(users) == {"Super", "Ana", "Ana da operadora"}
    assert users["Super"].is_super and users["Super"].company_id == 1
    emails = sorted(each.email for each in users.values())
    assert emails == ["ana+2@loja.example", "ana@loja.example", "super@op.example"]
    assert not users["Ana"].is_super
    assert UserQueue.objects.get().user == users["Ana"]


def test_contacts_of_one_number_are_one(shop: Company) -> None:
    beto = Contact.objects.get(canonical_number="5511987650001")
    assert (beto.name, beto.number, beto.email) == ("Beto", "5511987650001", "beto@example.com")
    info = sorted(beto.extra_info.values_list("name", "value", "folded_name"))
    assert info == [("CPF", "123", "cpf"), ("Filha", "Bia", "filha")]
    assert beto.tickets.count() == 2
    assert TicketNote.objects.get().contact == beto
    bare = Contact.objects.get(lid=LID)
    assert (bare.number, bare.canonical_number) == (f"{LID}@lid", f"lid:{LID}")
    guessed = Contact.objects.get(name="Outro LID")
    assert guessed.lid == "198765432109876"
    groups = set(Contact.objects.filter(is_group=True).values_list("number", flat=True))
    assert groups == {"5511987650001-1400000000@g.us", "5511987650002-1400000001@g.us"}
    for contact in Contact.objects.all():
        words = (contact.name, contact.number, contact.email, contact.username, *contact.ids)
        assert contact.search_text == fold(" ".join(words).rstrip())
    tag = Tag.objects.get()
    assert (tag.search_text, tag.is_kanban) == ("ouro", True)


def test_tickets_and_their_cycles(shop: Company) -> None:
    first, second, third, fourth = Ticket.objects.order_by("pk")
    assert [each.pk for each in (first, second, third, fourth)] == [1, 2, 3, 4]
    # Beto's contacts became one: the ticket that changed last stays live.
    assert [each.status for each in (first, second, third, fourth)] == [
        "closed",
        "pending",
        "closed",
        "closed",
    ]
    assert first.uuid == ONE_UUID and len({first.uuid, second.uuid, third.uuid}) == 3
    assert first.user == User.objects.get(name="Ana") and second.user is None
    assert first.tags.count() == 1
    for ticket in (first, second, third, fourth):
        cycles = list(TrackingCycle.objects.filter(ticket=ticket).order_by("queued_at"))
        is_live = ticket.status == "pending"
        assert [each.finished_at is None for each in cycles[:-1]] == [False] * (len(cycles) - 1)
        assert (cycles[-1].finished_at is None) == is_live
        assert ticket.queued_at == cycles[-1].queued_at
        assert ticket.closed_at == cycles[-1].finished_at
        for cycle in cycles:
            assert cycle.finished_at is None or cycle.finished_at >= cycle.queued_at
            assert (cycle.support_microseconds or 0) >= 0
            assert cycle.contact_id == ticket.contact_id
    rated = Rating.objects.get()
    assert (rated.rate, rated.cycle.rate, rated.created_at) == (3, 3, later(23))
    assert rated.cycle.rating_asked_at == later(22)
    assert (rated.ticket, rated.company) == (third, shop)
    assert (
        Ticket.objects.create(company=shop, contact=third.contact, connection=third.connection).pk
        > fourth.pk
    )


def test_messages_are_in_the_order_in_which_they_were_written(shop: Company) -> None:
    names = list(Message.objects.order_by("pk").values_list("external_id", flat=True))
    assert names == ["M1", "M2", "M3", "F1", "F2", "L1", "V1", "G1"]
    said = {each.external_id: each for each in Message.objects.all()}
    assert said["M2"].quoted == said["M1"] and said["M1"].quoted is None
    assert (said["M1"].source, said["M1"].ack, said["M1"].is_read) == ("contact", 0, False)
    assert (said["M2"].source, said["M2"].ack, said["M2"].is_read) == ("agent", 1, True)
    assert (said["M3"].source, said["M3"].body) == ("bot", "*Bot:* menu")
    assert (said["F1"].media_type, said["F1"].media_state) == ("image", "failed")
    assert (said["F2"].media_type, said["F2"].body) == ("application", "segredo.txt")
    assert said["L1"].data == {"latitude": -23.5, "longitude": -46.6}
    assert said["L1"].body == "|https://maps.google.com/?q=-23.5,-46.6|-23.5, -46.6"
    assert (said["V1"].media_type, said["V1"].body) == ("unknown", "veja")
    beto = Contact.objects.get(name="Beto")
    assert said["G1"].participant == beto and said["G1"].contact.is_group
    for message in said.values():
        assert message.search_text == fold(message.body)
        assert message.contact_id == message.ticket.contact_id
        assert message.created_at == message.sent_at
    reaction = MessageReaction.objects.get()
    assert (reaction.message, reaction.emoji, reaction.sender) == (said["M2"], "👍", beto)
    first = Ticket.objects.get(pk=1)
    assert (first.latest_message, first.last_message) == (said["M3"], "*Bot:* menu")
    assert first.last_inbound_at == later(1)


def test_nothing_that_waits_is_work(shop: Company) -> None:
    assert not Delivery.objects.exists()
    statuses = set(Schedule.objects.values_list("status", "state"))
    assert statuses == {("ERRO", "failed"), ("ENVIADA", "done")}
    campaigns = dict(Campaign.objects.values_list("name", "status"))
    assert set(campaigns.values()) == {"CANCELADA", "INATIVA", "FINALIZADA"}
    assert campaigns["Campanha EM_ANDAMENTO"] == "CANCELADA"
    for model in leased_models():
        rows: Any = model._default_manager
        assert not rows.unfinished().exists(), model


def test_lists_campaigns_and_chats(shop: Company) -> None:
    listed = ContactList.objects.get()
    assert listed.contacts_count == ContactListItem.objects.count() == 2
    running = Campaign.objects.get(status="CANCELADA")
    states = CampaignRecipient.objects.filter(campaign=running)
    assert running.recipients_count == 2
    assert set(states.values_list("state", "name")) == {("sent", "Pessoa"), ("pending", "Pessoa")}
    chat = Chat.objects.get()
    assert (chat.message_count, chat.members.count()) == (1, 1)
    assert chat.messages.get().sender_name == "Ana"
    codes = set(QuickMessage.objects.values_list("shortcode", "is_shared"))
    assert codes == {("oi", False), ("OI (2)", False), ("pix", True)}


def test_the_report_says_each_row(report: Report) -> None:
    for table, counts in report.tables.items():
        if table not in {"TicketTraking", "Settings"}:
            told = sum(counts.get(each, 0) for each in ("made", "merged", "left"))
            assert told == counts["read"], table
    assert report.strangers == [] and report.unread == {}
    codes = {code: note["count"] for code, note in report.notes.items()}
    wanted: dict[str, Any] = {
        "contact_merged": 1,
        "two_live": 1,
        "uuid_anew": 3,
        "rate_changed": 1,
        "number_was_lid": 2,
        "setting_repeated": 1,
        "pair_over_companies": 1,
        "pair_repeated": 1,
        "option_queue_found": 2,
        "campaign_cancelled": 1,
        "schedule_past": 1,
        "ack_raised": 2,
        "message_without_ticket": 1,
        "target_private": 1,
        "file_without_folder": 1,
    }
    assert wanted.items() <= codes.items()
