"""Opt-outs and answers of people who get another number or user id (rules/campaigns §7)."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignRecipient, OptOut, OptOutSource, RecipientState
from apps.campaigns.queries.reports import report_of
from apps.campaigns.services.remembered_numbers import remember_written
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock
from apps.campaigns.tests.test_sending import provider_takes_all, states
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundIdentity, InboundMessage
from apps.contacts.models import Contact
from apps.contacts.services import (
    Sender,
    follow_identity,
    merge_by_hand,
    undo_merge,
    update_contact,
    upsert_contact,
    upsert_contacts,
)
from apps.contacts.services.file_importing import import_due
from apps.tickets.models import Message
from apps.tickets.services.receiving.messages import receive_message
from conftest import ClientFor
from tests.factories import make_campaign, make_contact, make_contact_list, make_tag, make_ticket
from tests.sheets import upload_of

pytestmark = pytest.mark.django_db
OLD, NEW, NAMELESS = "5511984321109", "5511984321108", "lid:BR.9"


def opted_out(company: Company) -> list[tuple[str, str]]:
    rows = OptOut.objects.filter(company=company).order_by("canonical_number")
    return list(rows.values_list("canonical_number", "source"))


def leave(company: Company, number: str, source: str = OptOutSource.WORD) -> OptOut:
    return OptOut.objects.create(company=company, canonical_number=number, source=source)


def nameless(company: Company) -> Contact:
    """Make somebody who is known by the user id alone."""
    return upsert_contact(company_id=company.pk, number="", lid="BR.9", name="Ana")


def recipient_of(
    campaign: Campaign, number: str, state: str = "pending", shown: str = "", **fields: Any
) -> CampaignRecipient:
    recipient = CampaignRecipient(
        company=campaign.company,
        campaign=campaign,
        number=shown or number,
        canonical_number=number,
        state=state,
        **fields,
    )
    recipient.fold_text()
    recipient.save()
    return recipient


def all_rows() -> list[Any]:
    kept = (CampaignRecipient.objects, OptOut.objects)
    return [list(rows.order_by("pk").values()) for rows in kept]


def keys(campaign: Campaign) -> list[str]:
    rows = CampaignRecipient.objects.filter(campaign=campaign).order_by("pk")
    return list(rows.values_list("canonical_number", flat=True))


def writes(connection: Connection, body: str) -> None:
    """Have her write with both names."""
    inbound = InboundMessage(
        external_id=f"in-{body}",
        sender=OLD,
        sender_name="Ana",
        media_type="conversation",
        body=body,
        sent_at=timezone.now(),
        lid="BR.9",
    )
    receive_message(connection=connection, inbound=inbound)


def test_who_left_and_changes_the_number_is_not_written_to_again(
    clock: Clock, acme: Company, qr: Connection, at_once: None
) -> None:
    contact = make_contact(acme, number=OLD)
    tag = make_tag(acme)
    make_ticket(acme, contact=contact, connection=qr, status="closed").tags.add(tag)
    left = leave(acme, OLD)
    follow_identity(company_id=acme.pk, identity=InboundIdentity(OLD, "", NEW, ""))
    assert opted_out(acme) == [(NEW, "word"), (OLD, "word")]
    assert OptOut.objects.get(canonical_number=NEW).created_at == left.created_at
    campaign = make_campaign(acme, connection=qr, tag=tag)
    send_due(limit=10)
    assert (keys(campaign), states(campaign)) == ([NEW], ["skipped"])


def test_who_left_without_a_number_stays_out_when_it_is_told(
    acme: Company, globex: Company, qr: Connection
) -> None:
    nameless(acme)
    leave(acme, NAMELESS)
    leave(globex, NAMELESS)
    writes(qr, "Oi")
    assert opted_out(acme) == [(OLD, "word"), (NAMELESS, "word")]
    assert opted_out(globex) == [(NAMELESS, "word")]


def test_a_yes_that_brings_the_number_confirms(
    clock: Clock, acme: Company, qr: Connection, at_once: None
) -> None:
    contact, tag = nameless(acme), make_tag(acme)
    make_ticket(acme, contact=contact, connection=qr, status="closed").tags.add(tag)
    campaign = make_campaign(
        acme, connection=qr, tag=tag, texts=["A oferta"], asking=["Posso mandar uma oferta?"]
    )
    send_due(limit=10)
    send_due(limit=10)
    provider_takes_all()
    assert (keys(campaign), states(campaign)) == ([NAMELESS], ["asked"])
    writes(qr, "sim")
    assert (keys(campaign), states(campaign)) == ([OLD], ["confirmed"])
    clock.pass_time(seconds=61)
    send_due(limit=10)
    assert states(campaign) == ["queued"]
    [offer] = Message.objects.filter(body="A oferta")
    assert (offer.contact, Contact.objects.get().number) == (contact, OLD)
    assert CampaignRecipient.objects.get().search_text == f"ana {OLD}"


def test_a_word_that_brings_the_number_leaves_the_campaign_that_was_sent_without_it(
    acme: Company, qr: Connection
) -> None:
    nameless(acme)
    campaign = make_campaign(acme, connection=qr)
    sent = recipient_of(campaign, NAMELESS, "sent", shown="BR.9@lid", sent_at=timezone.now())
    remember_written(acme.pk, [NAMELESS])
    writes(qr, "SAIR")
    assert opted_out(acme) == [(OLD, "word")]
    sent.refresh_from_db()
    # The report tells where it went.
    assert (sent.canonical_number, sent.number) == (OLD, "BR.9@lid")


def test_who_is_in_the_campaign_by_both_is_left_as_it_is(acme: Company, qr: Connection) -> None:
    nameless(acme)
    both, one = make_campaign(acme, connection=qr), make_campaign(acme, connection=qr)
    recipient_of(both, NAMELESS)
    recipient_of(both, OLD)
    recipient_of(one, NAMELESS)
    recipient_of(one, "5511900000000")
    writes(qr, "Oi")
    assert keys(both) == [NAMELESS, OLD]
    assert keys(one) == [OLD, "5511900000000"]


def test_in_a_report_who_left_counts_once(acme: Company, qr: Connection) -> None:
    nameless(acme)
    campaign = make_campaign(acme, connection=qr, started_at=timezone.now())
    for number, source, state in (
        (NAMELESS, OptOutSource.META, RecipientState.FAILED),
        (NEW, OptOutSource.WORD, RecipientState.SENT),
    ):
        refused = "marketing_stopped" if state == RecipientState.FAILED else ""
        recipient_of(campaign, number, state, reason_code=refused)
        OptOut.objects.create(
            company=acme, canonical_number=number, source=source, campaign=campaign
        )
    writes(qr, "Oi")
    report = report_of(campaign)
    assert (report.blocked, report.opted_out) == (1, 1)
    assert opted_out(acme) == [(NEW, "word"), (OLD, "meta"), (NAMELESS, "meta")]


def test_a_word_by_one_name_outlasts_metas_switch_by_the_other(
    acme: Company, qr: Connection
) -> None:
    make_contact(acme, number=OLD)
    nameless(acme)
    leave(acme, OLD, OptOutSource.META)
    leave(acme, NAMELESS)
    writes(qr, "Oi")
    assert Contact.objects.count() == 1
    assert opted_out(acme) == [(OLD, "word"), (NAMELESS, "word")]


def test_an_opt_out_that_outlived_its_contact_finds_it_again(acme: Company, qr: Connection) -> None:
    leave(acme, NAMELESS)
    writes(qr, "Oi")
    assert (OLD, "word") in opted_out(acme)


def test_a_number_that_people_correct_takes_opt_outs_and_recipients_along(
    acme: Company, qr: Connection
) -> None:
    contact = make_contact(acme, number=OLD)
    campaign = make_campaign(acme, connection=qr)
    waiting = recipient_of(campaign, OLD)
    asked = recipient_of(make_campaign(acme, connection=qr), OLD, "asked")
    leave(acme, OLD)
    update_contact(contact=contact, changes={"number": NEW})
    assert opted_out(acme) == [(NEW, "word"), (OLD, "word")]
    waiting.refresh_from_db()
    assert (waiting.canonical_number, waiting.number) == (NEW, NEW)
    asked.refresh_from_db()
    assert asked.canonical_number == OLD


def test_a_file_that_brings_the_number_takes_them_along(
    acme: Company,
    agent: User,
    client_for: ClientFor,
    settings: Any,
    tmp_path: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    nameless(acme)
    leave(acme, NAMELESS)
    leave(acme, "lid:BR.7")
    text = f"numero;userId\n{OLD};BR.9\n{NEW};BR.7\n"
    answer = client_for(agent).post(
        "/api/contacts/import-file",
        {"file": upload_of(text.encode(), "contatos.csv")},
        format="multipart",
    )
    assert answer.status_code == 202, answer.content
    import_due(limit=1)
    numbers = [number for number, _ in opted_out(acme)]
    assert numbers == [NEW, OLD, "lid:BR.7", NAMELESS]


def test_a_merge_by_hand_takes_them_along_and_gives_them_back(
    acme: Company, admin: User, qr: Connection
) -> None:
    keep, gone = make_contact(acme, number=OLD), make_contact(acme, number=NEW)
    campaign = make_campaign(acme, connection=qr)
    other = make_campaign(acme, connection=qr)
    waiting, sent = recipient_of(campaign, NEW), recipient_of(other, NEW, "sent")
    OptOut.objects.create(company=acme, canonical_number=NEW, campaign=other)
    before = all_rows()
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    waiting.refresh_from_db()
    sent.refresh_from_db()
    assert (waiting.canonical_number, waiting.number) == (OLD, OLD)
    # Whoever was written to there answers from there.
    assert (sent.canonical_number, sent.number) == (NEW, NEW)
    assert opted_out(acme) == [(NEW, "word"), (OLD, "word")]
    undo_merge(merge_id=merge.pk, actor=admin)
    assert all_rows() == before


def test_a_merge_by_hand_into_who_had_no_number_takes_all_along(
    acme: Company, admin: User, qr: Connection
) -> None:
    keep, gone = nameless(acme), make_contact(acme, number=NEW)
    asked = recipient_of(make_campaign(acme, connection=qr), NAMELESS, "asked")
    before = all_rows()
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    asked.refresh_from_db()
    assert (asked.canonical_number, asked.number) == (NEW, NEW)
    undo_merge(merge_id=merge.pk, actor=admin)
    assert all_rows() == before


def test_undone_what_went_on_since_stays_with_the_survivor(
    acme: Company, admin: User, qr: Connection
) -> None:
    keep, gone = make_contact(acme, number=OLD), make_contact(acme, number=NEW)
    campaign = make_campaign(acme, connection=qr)
    written = recipient_of(campaign, NEW)
    leave(acme, OLD, OptOutSource.META)
    leave(acme, NEW)
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    assert opted_out(acme) == [(NEW, "word"), (OLD, "word")]
    CampaignRecipient.objects.filter(pk=written.pk).update(state="queued", first_message_pk=5)
    undo_merge(merge_id=merge.pk, actor=admin)
    written.refresh_from_db()
    assert (written.canonical_number, written.number) == (OLD, OLD)
    assert opted_out(acme) == [(NEW, "word"), (OLD, "meta")]


def test_who_came_by_the_others_number_since_brings_an_opt_out_back(
    acme: Company, admin: User
) -> None:
    keep, gone = make_contact(acme, number=OLD), make_contact(acme, number=NEW, user_id="BR.9")
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    Contact.objects.filter(pk=keep.pk).update(user_id=None)
    nameless(acme)
    leave(acme, NAMELESS)
    undo_merge(merge_id=merge.pk, actor=admin)
    assert Contact.objects.get(canonical_number=NEW).pk == gone.pk
    assert (NEW, "word") in opted_out(acme)


def test_a_name_that_is_learnt_costs_one_statement_where_campaigns_know_nothing_of_it(
    acme: Company, django_assert_num_queries: Any
) -> None:
    make_contact(acme, number=OLD)
    ana = Sender(acme.pk, OLD, lid="BR.9")
    with django_assert_num_queries(5):  # who it is, the new name, and in a savepoint: who left
        upsert_contacts([ana], tells=False)
    with django_assert_num_queries(1):
        upsert_contacts([ana], tells=False)
    senders = [Sender(acme.pk, f"551190000{each:04d}", lid=f"BR.7{each}") for each in range(20)]
    with django_assert_num_queries(5):
        upsert_contacts(senders, tells=False)


def test_recipients_of_a_list_are_found_by_the_number_that_came_later(
    acme: Company, qr: Connection, clock: Clock, at_once: None
) -> None:
    people = make_contact_list(acme, people=[("Ana", OLD)])
    make_contact(acme, number=OLD)
    campaign = make_campaign(acme, connection=qr, contact_list=people)
    send_due(limit=10)
    follow_identity(company_id=acme.pk, identity=InboundIdentity(OLD, "", NEW, ""))
    send_due(limit=10)
    assert (keys(campaign), states(campaign)) == ([NEW], ["queued"])
    assert Contact.objects.count() == 1
