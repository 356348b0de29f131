"""The list of opt-outs: what admins see, add, remove and export."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import StreamingHttpResponse

from apps.accounts.models import User
from apps.accounts.tests.test_service_tokens import made
from apps.audit.models import AuditEntry
from apps.campaigns.models import OptOut
from apps.campaigns.services.opt_outs import add_opt_out
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_opting_out import hand_over, waiting
from apps.campaigns.tests.test_sending import run_through, states
from apps.companies.models import Company
from apps.contacts.services import erase_contact
from apps.tickets.models import Message
from conftest import ClientFor
from tests.factories import make_campaign, make_contact

pytestmark = pytest.mark.django_db
FIRST, SECOND = "5511984321100", "5511984321101"


def leave(company: Company, number: str, **fields: Any) -> OptOut:
    return OptOut.objects.create(company=company, canonical_number=number, **fields)


def numbers(answer: Any) -> list[str]:
    return [row["number"] for row in answer.json()["records"]]


def lines(answer: Any) -> list[str]:
    assert isinstance(answer, StreamingHttpResponse)
    return b"".join(answer).decode("utf-8-sig").splitlines()


def test_the_list_has_who_when_and_how_newest_first(
    acme: Company, globex: Company, admin: User, client_for: ClientFor
) -> None:
    campaign = make_campaign(acme, name="Natal")
    contact = make_contact(acme, name="Ana Lima", number=FIRST)
    make_contact(globex, name="Outra", number=SECOND)
    leave(acme, FIRST, campaign=campaign)
    leave(acme, SECOND, source="hand")
    leave(globex, "5511984321102")
    page = client_for(admin).get("/api/opt-outs").json()
    assert (page["count"], page["hasMore"]) == (2, False)
    by_hand, by_word = page["records"]
    assert (by_hand["number"], by_hand["name"], by_hand["contactId"]) == (SECOND, "", None)
    assert (by_hand["by"], by_hand["campaignId"], by_hand["campaignName"]) == ("hand", None, "")
    assert (by_word["name"], by_word["contactId"]) == ("Ana Lima", contact.pk)
    assert (by_word["by"], by_word["campaignName"]) == ("word", "Natal")
    assert by_word["createdAt"]


@pytest.mark.parametrize("text", ["lucia", "(11) 98432-1100", "432110"])
def test_it_is_searched_by_name_and_number(
    acme: Company, admin: User, client_for: ClientFor, text: str
) -> None:
    make_contact(acme, name="Lúcia Prado", number=FIRST)
    leave(acme, FIRST)
    leave(acme, "5521999998888")
    assert numbers(client_for(admin).get("/api/opt-outs", {"searchParam": text})) == [FIRST]


def test_a_page_takes_as_many_statements_for_one_as_for_twenty(
    acme: Company, admin: User, client_for: ClientFor, django_assert_max_num_queries: Any
) -> None:
    client = client_for(admin)
    for place in range(25):
        number = f"55119843211{place:02d}"
        make_contact(acme, number=number)
        leave(acme, number, campaign=make_campaign(acme))
    with django_assert_max_num_queries(5):
        page = client.get("/api/opt-outs", {"searchParam": ""}).json()
    assert (len(page["records"]), page["count"], page["hasMore"]) == (20, 25, True)


def test_a_number_is_added_in_the_form_that_campaigns_compare(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    client = client_for(admin)
    answer = client.post("/api/opt-outs", {"number": "+55 (11) 8432-1100"})
    assert (answer.status_code, answer.json()["by"]) == (201, "hand")
    assert answer.json()["number"] == FIRST
    again = client.post("/api/opt-outs", {"number": FIRST})
    assert (again.status_code, again.json()["code"]) == (409, "ERR_OPT_OUT_EXISTS")
    assert again.json()["fields"] == {"number": ["Este número já está descadastrado."]}
    wrong = client.post("/api/opt-outs", {"number": "12"})
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["number"])
    entry = AuditEntry.objects.get(action="opt_out.created")
    assert (entry.actor, entry.detail["number"]) == (admin, FIRST)


@pytest.mark.usefixtures("at_once")
def test_a_number_without_country_code_excludes_the_person_of_the_lists(
    clock: Clock, admin: User, due: Make, client_for: ClientFor
) -> None:
    added = client_for(admin).post("/api/opt-outs", {"number": "(11) 98432-1101"})
    assert (added.status_code, added.json()["number"]) == (201, SECOND)
    campaign = due()
    run_through(clock, campaign)
    assert states(campaign) == ["sent", "skipped", "sent"]


def test_a_programs_number_without_country_code_is_refused_unless_it_asks(
    acme: Company, admin: User
) -> None:
    client, _ = made(admin, "campaigns")
    refused = client.post("/api/opt-outs", {"number": "11 98432-1100"}, "json")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
    assert refused.json()["completed"] == FIRST
    assert not OptOut.objects.exists()
    body = {"number": "11 98432-1100", "completeNumbers": True}
    added = client.post("/api/opt-outs", body, "json")
    assert (added.status_code, added.json()["number"]) == (201, FIRST)


def test_who_stopped_at_meta_is_added_on_top(acme: Company, admin: User) -> None:
    leave(acme, FIRST, source="meta")
    assert add_opt_out(user=admin, number=FIRST).source == "hand"


@pytest.mark.usefixtures("at_once")
def test_who_is_added_in_the_middle_of_a_campaign_gets_nothing_more(
    clock: Clock, admin: User, due: Make
) -> None:
    campaign = due()
    hand_over()
    add_opt_out(user=admin, number=SECOND)
    assert states(campaign) == ["queued", "skipped", "queued"]
    assert waiting() == [FIRST, "5511984321102"]


@pytest.mark.usefixtures("at_once")
def test_who_is_added_between_the_start_and_the_message_gets_none(
    clock: Clock, acme: Company, due: Make
) -> None:
    campaign = due()
    send_due(limit=1)
    assert states(campaign) == ["pending"] * 3
    leave(acme, SECOND)  # its recipient still waits
    run_through(clock, campaign)
    assert states(campaign) == ["sent", "skipped", "sent"]
    assert not Message.objects.filter(contact__number=SECOND).exists()


@pytest.mark.usefixtures("at_once")
def test_who_is_removed_is_written_to_by_later_campaigns(
    clock: Clock, acme: Company, admin: User, due: Make, client_for: ClientFor
) -> None:
    left = leave(acme, SECOND)
    first = due()
    run_through(clock, first)
    assert states(first) == ["sent", "skipped", "sent"]
    answer = client_for(admin).delete(f"/api/opt-outs/{left.pk}")
    assert answer.status_code == 200
    second = due()
    run_through(clock, second)
    assert states(second) == ["sent"] * 3
    # The first one has ended for this person.
    assert states(first) == ["sent", "skipped", "sent"]
    entry = AuditEntry.objects.get(action="opt_out.deleted")
    assert (entry.actor, entry.detail["number"]) == (admin, SECOND)


def test_another_companys_opt_out_is_not_found(
    acme: Company, outsider: User, client_for: ClientFor
) -> None:
    left = leave(acme, FIRST)
    client = client_for(outsider)
    outsider.profile = "admin"
    outsider.save()
    answer = client.delete(f"/api/opt-outs/{left.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_OPT_OUT_FOUND")
    assert numbers(client.get("/api/opt-outs")) == []
    assert len(lines(client.get("/api/opt-outs/export"))) == 1


def test_the_file_has_what_the_search_finds_and_no_formulas(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    make_contact(acme, name="=SOMA(A1)", number=FIRST)
    left = leave(acme, FIRST, source="asked")
    leave(acme, "5521999998888")
    OptOut.objects.filter(pk=left.pk).update(created_at=datetime(2026, 3, 1, 2, 0, tzinfo=UTC))
    answer = client_for(admin).get("/api/opt-outs/export", {"searchParam": FIRST})
    assert lines(answer) == [
        "nome;numero;como;campanha;desde",
        f'"\'=SOMA(A1)";"{FIRST}";"confirmou a pergunta";"";"2026-02-28 23:00:00"',
    ]
    entry = AuditEntry.objects.get(action="opt_out.exported")
    assert (entry.actor, entry.detail) == (admin, {"count": 1})


def test_a_file_of_many_is_read_in_parts(
    acme: Company, admin: User, client_for: ClientFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.campaigns.services.opt_outs.BATCH", 2)
    for place in range(5):
        leave(acme, f"551198432110{place}")
    answer = client_for(admin).get("/api/opt-outs/export", headers={"accept-language": "en"})
    head, *rows = lines(answer)
    assert head == "name;number;how;campaign;since"
    assert [row.split(";")[1] for row in rows] == [
        f'"551198432110{place}"' for place in reversed(range(5))
    ]


def test_an_erasure_takes_the_number_out_of_the_audit_log(acme: Company, admin: User) -> None:
    contact = make_contact(acme, name="Ana", number=FIRST)
    add_opt_out(user=admin, number=FIRST)
    erase_contact(contact=contact, actor=admin)
    assert AuditEntry.objects.get(action="opt_out.created").detail == {}
    assert OptOut.objects.get().canonical_number == FIRST
