"""Opt-out words of whoever a campaign wrote to, and of others, who are asked."""

from importlib import import_module

import pytest
from django.apps import apps

from apps.accounts.models import User
from apps.campaigns.models import Campaign, OptOut, RememberedNumber
from apps.campaigns.services.answers import LEFT, QUESTION
from apps.campaigns.services.remembered_numbers import forget_numbers, remember_written
from apps.campaigns.services.saving import delete_campaign
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import run_through, states
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.services import erase_contact, merge_by_hand, update_contact
from apps.tickets.models import Ticket
from apps.tickets.tests.bot import receive, setting
from tests.factories import (
    make_connection,
    make_contact,
    make_integration,
    make_message,
    make_queue,
)

pytestmark = pytest.mark.django_db
FIRST, SECOND, STRANGER = "5511984321100", "5511984321101", "5511984321199"


@pytest.fixture
def menu(acme: Company) -> Connection:
    """A number whose bot offers two queues."""
    queues = [make_queue(acme, name=name, order=place) for place, name in enumerate("AB")]
    return make_connection(
        acme, name="Menu", provider="beta", queues=queues, greeting_message="Bem-vindo!"
    )


def opted_out() -> list[tuple[str, str]]:
    rows = OptOut.objects.order_by("canonical_number")
    return list(rows.values_list("canonical_number", "source"))


def sent_and_deleted(clock: Clock, admin: User, due: Make) -> None:
    """Send a campaign to the three people and delete it."""
    campaign: Campaign = due()
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3
    delete_campaign(user=admin, campaign_id=campaign.pk)


# Whoever was written to


@pytest.mark.usefixtures("at_once")
def test_the_word_counts_after_the_campaign_was_deleted_and_is_confirmed_once(
    clock: Clock, admin: User, qr: Connection, due: Make
) -> None:
    sent_and_deleted(clock, admin, due)
    assert receive(qr, "Sair!", sender=SECOND) == [LEFT]
    assert opted_out() == [(SECOND, "word")]
    assert receive(qr, "SAIR", sender=SECOND) == []
    another = due()
    run_through(clock, another)
    assert states(another) == ["sent", "skipped", "sent"]


@pytest.mark.usefixtures("at_once")
def test_the_word_counts_for_ninety_days_and_asks_after_them(
    clock: Clock, admin: User, qr: Connection, due: Make
) -> None:
    sent_and_deleted(clock, admin, due)
    clock.pass_time(days=89, hours=23)
    assert receive(qr, "SAIR", sender=FIRST) == [LEFT]
    clock.pass_time(hours=2)
    assert receive(qr, "SAIR", sender=SECOND) == [QUESTION]
    assert opted_out() == [(FIRST, "word")]


def test_the_campaigns_of_another_company_do_not_count(
    acme: Company, globex: Company, qr: Connection
) -> None:
    remember_written(globex.pk, [FIRST])
    assert receive(qr, "SAIR", sender=FIRST) == [QUESTION]
    theirs = make_connection(globex, provider="beta")
    assert receive(theirs, "SAIR", sender=FIRST) == [LEFT]
    assert list(OptOut.objects.values_list("company", flat=True)) == [globex.pk]


def test_the_record_survives_an_erasure_without_holding_the_number(
    acme: Company, admin: User, qr: Connection
) -> None:
    contact = make_contact(acme, number=FIRST)
    remember_written(acme.pk, [FIRST])
    erase_contact(contact=contact, actor=admin)
    assert FIRST[2:] not in str(list(RememberedNumber.objects.values()))
    assert receive(qr, "SAIR", sender=FIRST) == [LEFT]


def test_the_record_follows_a_changed_number_and_a_merge(
    acme: Company, admin: User, qr: Connection
) -> None:
    changed = make_contact(acme, number=FIRST)
    keep, gone = make_contact(acme, number=STRANGER), make_contact(acme, number=SECOND)
    remember_written(acme.pk, [FIRST, SECOND])
    update_contact(contact=changed, changes={"number": "5511984321177"})
    merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    assert receive(qr, "SAIR", sender="5511984321177") == [LEFT]
    assert receive(qr, "SAIR", sender=STRANGER) == [LEFT]
    # The former number may be in use by the same person.
    assert receive(qr, "SAIR", sender=FIRST) == [LEFT]


def test_records_are_deleted_after_ninety_days(clock: Clock, acme: Company, qr: Connection) -> None:
    remember_written(acme.pk, [FIRST, SECOND])
    clock.pass_time(days=60)
    remember_written(acme.pk, [SECOND])
    receive(qr, "SAIR", sender=FIRST)
    receive(qr, "SAIR", sender=STRANGER)
    clock.pass_time(days=31)
    forget_numbers(now=clock.now)
    assert RememberedNumber.objects.count() == 2  # written to, and asked, 31 days ago
    clock.pass_time(days=60)
    forget_numbers(now=clock.now)
    assert not RememberedNumber.objects.exists()


@pytest.mark.usefixtures("at_once")
def test_an_upgrade_records_whom_campaigns_wrote_to_also_deleted_ones(
    clock: Clock, admin: User, qr: Connection, due: Make
) -> None:
    sent_and_deleted(clock, admin, due)
    upgrade = import_module("apps.campaigns.migrations.0003_remember_sent_campaigns")
    before = set(RememberedNumber.objects.values_list("company", "digest"))
    RememberedNumber.objects.all().delete()
    upgrade.remember(apps, None)
    assert set(RememberedNumber.objects.values_list("company", "digest")) == before
    assert len(before) == 3


# Anyone else


def test_anyone_else_is_asked_once_and_leaves_by_answering_1(
    clock: Clock, acme: Company, qr: Connection, due: Make, at_once: None
) -> None:
    assert receive(qr, "PARAR", sender=FIRST) == [QUESTION]
    assert not OptOut.objects.exists()
    assert receive(qr, "1", sender=FIRST) == [LEFT]
    assert opted_out() == [(FIRST, "asked")]
    campaign = due()
    run_through(clock, campaign)
    assert states(campaign) == ["skipped", "sent", "sent"]


@pytest.mark.parametrize("text", ["1", " Sim! ", "1 sim", "1 - Sim", "SAIR"])
def test_these_answers_mean_yes(qr: Connection, text: str) -> None:
    receive(qr, "PARAR", sender=STRANGER)
    assert receive(qr, text, sender=STRANGER) == [LEFT]
    assert opted_out() == [(STRANGER, "asked")]


def test_any_other_answer_goes_on_to_the_bot_and_so_does_a_later_1(menu: Connection) -> None:
    assert receive(menu, "SAIR", sender=STRANGER) == [QUESTION]
    [offered] = receive(menu, "não", sender=STRANGER)
    assert offered.startswith("Bem-vindo!")
    receive(menu, "1", sender=STRANGER)
    assert Ticket.objects.get().queue is not None
    assert not OptOut.objects.exists()


def test_the_question_interrupts_no_menu(menu: Connection) -> None:
    receive(menu, "Oi", sender=STRANGER)
    assert receive(menu, "SAIR", sender=STRANGER) == [QUESTION]
    receive(menu, "2", sender=STRANGER)
    ticket = Ticket.objects.get()
    assert ticket.queue is not None
    assert ticket.queue.name == "B"


def test_the_bot_is_silent_about_what_was_asked_and_confirmed(menu: Connection) -> None:
    remember_written(menu.company_id, [FIRST])
    assert receive(menu, "SAIR", sender=FIRST) == [LEFT]
    # Who has left and writes it again is answered as for any other message.
    [offered] = receive(menu, "SAIR", sender=FIRST)
    assert offered.startswith("Bem-vindo!")


def test_a_1_after_somebody_else_wrote_is_no_answer(qr: Connection) -> None:
    receive(qr, "SAIR", sender=STRANGER)
    make_message(Ticket.objects.get(), from_me=True, body="Bom dia! 1 ou 2 caixas?")
    assert receive(qr, "1", sender=STRANGER) == []
    assert not OptOut.objects.exists()


def test_a_1_on_another_number_of_the_company_is_no_answer(
    acme: Company, qr: Connection, menu: Connection
) -> None:
    receive(qr, "SAIR", sender=STRANGER)
    receive(menu, "1", sender=STRANGER)
    assert not OptOut.objects.exists()


def test_nobody_is_asked_again_the_same_day(clock: Clock, qr: Connection) -> None:
    assert receive(qr, "SAIR", "SAIR", sender=STRANGER) == [QUESTION]
    clock.pass_time(hours=25)
    # The question is over, and so is its answer.
    assert receive(qr, "1", sender=STRANGER) == []
    assert receive(qr, "SAIR", sender=STRANGER) == [QUESTION]
    assert not OptOut.objects.exists()


def test_a_word_that_the_bot_knows_is_left_to_the_bot(acme: Company, menu: Connection) -> None:
    menu.transfer_keyword, menu.transfer_keyword_queue = "Parar", menu.queues.all()[0]
    menu.save()
    assert QUESTION not in receive(menu, "PARAR", sender=STRANGER)
    assert Ticket.objects.get().queue == menu.transfer_keyword_queue
    # Whoever was written to leaves by it, and the bot hears it too.
    remember_written(acme.pk, [FIRST])
    assert receive(menu, "PARAR", sender=FIRST)[-1] == LEFT
    assert Ticket.objects.get(contact__number=FIRST).queue == menu.transfer_keyword_queue


def test_the_word_that_ends_a_flow_is_left_to_the_flow(acme: Company, qr: Connection) -> None:
    flow = make_integration(acme, typebot_keyword_finish="sair")
    receive(qr, "Oi", sender=STRANGER)
    Ticket.objects.update(use_integration=True, integration=flow)
    assert receive(qr, "SAIR", sender=STRANGER) == []


def test_a_company_without_campaigns_asks_nobody(acme: Company, qr: Connection) -> None:
    acme.plan.use_campaigns = False
    acme.plan.save()
    assert receive(qr, "PARAR", sender=STRANGER) == []


def test_without_words_nobody_is_asked(acme: Company, qr: Connection) -> None:
    setting(acme, "optOutWords", "")
    assert receive(qr, "SAIR", sender=STRANGER) == []


def test_who_stopped_at_meta_and_was_asked_stays_out_when_resuming_there(
    acme: Company, qr: Connection
) -> None:
    OptOut.objects.create(company=acme, canonical_number=STRANGER, source="meta")
    receive(qr, "SAIR", sender=STRANGER)
    assert receive(qr, "1", sender=STRANGER) == [LEFT]
    assert opted_out() == [(STRANGER, "asked")]
