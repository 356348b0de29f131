"""E-mails that people write: how many, to whom, and what becomes of them (rules/emails §1)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.inbound.services import purge_finished
from apps.mail.models import Mail
from apps.mail.services import deliver_due, emails, outbox, write_mail
from apps.mail.tests.test_mail import mailbox
from conftest import ClientFor
from tests.mailbox import Mailbox

__all__ = ["mailbox"]

pytestmark = [
    pytest.mark.django_db,
    # The login goes over loopback.
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]

OLD = "/api/enviar-email"
NEW = "/api/emails"


def letter(**changes: str) -> dict[str, str]:
    return {
        "email": "maria@cliente.example.com",
        "assunto": "Orçamento nº 12",
        "mensagem": "Olá, Maria!\n\nSegue o orçamento.",
        **changes,
    }


def post(client_for: ClientFor, user: User | None, path: str = NEW, **changes: str) -> Any:
    return client_for(user).post(path, letter(**changes), "json")


@pytest.mark.parametrize("path", [OLD, f"{OLD}/", NEW])
def test_an_email_goes_out_in_its_authors_name(
    mailbox: Mailbox, client_for: ClientFor, agent: User, path: str
) -> None:
    answer = post(client_for, agent, path, tokenSenha="whatever")
    assert answer.status_code == 201, answer.content
    (row,) = answer.json()["emails"]
    assert (row["sender"], row["subject"], row["status"], row["sentAt"]) == (
        *("maria@cliente.example.com", "Orçamento nº 12", "waiting", None),
    )
    assert row["message"] == "Olá, Maria!\n\nSegue o orçamento."
    deliver_due(limit=10)
    ((sender, recipients, message),) = mailbox.taken
    assert (sender, recipients) == (
        *("nao-responda@loja.example.com", ["maria@cliente.example.com"]),
    )
    assert message["Subject"] == "Orçamento nº 12"
    assert message["From"] == "Balcão <nao-responda@loja.example.com>"
    assert message["Reply-To"] == f"{agent.name} <{agent.email}>"
    assert message["Auto-Submitted"] is None
    assert "Segue o orçamento." in message.get_content()
    row = client_for(agent).get(f"{NEW}/{row['id']}").json()
    assert (row["status"], row["reason"], row["authorName"]) == ("sent", "", agent.name)
    assert row["sentAt"] is not None


def test_each_of_several_recipients_gets_one_of_their_own(
    mailbox: Mailbox, client_for: ClientFor, agent: User
) -> None:
    answer = post(client_for, agent, email=" a@x.example.com,B@x.example.com ,; A@X.example.com")
    assert [row["sender"] for row in answer.json()["emails"]] == [
        *("A@X.example.com", "B@x.example.com"),
    ]
    deliver_due(limit=10)
    assert [recipients for _, recipients, _ in mailbox.taken] == [
        *(["A@X.example.com"], ["B@x.example.com"]),
    ]


@pytest.mark.parametrize("path", [OLD, NEW])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", ""),
        ("email", " , "),
        ("email", "maria"),
        ("email", "a@x.example.com, maria"),
        ("email", "a@x.example.com\r\nBcc: b@x.example.com"),
        ("email", ", ".join(f"p{number}@x.example.com" for number in range(51))),
        ("email", f"{'a' * 250}@x.example.com"),
        ("assunto", ""),
        ("assunto", "   "),
        ("assunto", "Oi\nBcc: b@x.example.com"),
        ("assunto", "Oi\rBcc: b@x.example.com"),
        ("assunto", "Oi\u2028Bcc: b@x.example.com"),
        ("assunto", "a" * 201),
        ("mensagem", ""),
        ("mensagem", "a" * 20_001),
    ],
)
def test_what_cannot_be_sent_is_refused_at_its_field(
    mailbox: Mailbox, client_for: ClientFor, agent: User, path: str, field: str, value: str
) -> None:
    answer = post(client_for, agent, path, **{field: value})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert not Mail.objects.exists()


def test_nobody_writes_headers_by_the_own_name(
    mailbox: Mailbox, client_for: ClientFor, agent: User
) -> None:
    User.objects.filter(pk=agent.pk).update(name="Bob\r\nBcc: b@x.example.com")
    agent.refresh_from_db()
    post(client_for, agent)
    deliver_due(limit=10)
    ((_, recipients, message),) = mailbox.taken
    assert (recipients, message["Bcc"], message["Reply-To"]) == (
        *(["maria@cliente.example.com"], None, agent.email),
    )


def test_an_admin_sees_the_companys_and_others_the_own(
    mailbox: Mailbox, client_for: ClientFor, agent: User, admin: User, outsider: User
) -> None:
    own = post(client_for, agent).json()["emails"][0]["id"]
    post(client_for, admin, assunto="Do chefe")
    write_mail(
        company_id=agent.company_id,
        recipient=agent.email,
        template="accounts/mail/new_browser",
        language="pt",
    )
    seen = {
        user: [row["subject"] for row in client_for(user).get("/api/listar-emails-enviados").json()]
        for user in (agent, admin, outsider)
    }
    assert seen == {
        agent: ["Orçamento nº 12"],
        admin: ["Do chefe", "Orçamento nº 12"],
        outsider: [],
    }
    theirs = Mail.objects.get(author=admin).pk
    for user, email_id in ((agent, theirs), (outsider, own), (admin, Mail.objects.latest("pk").pk)):
        client = client_for(user)
        for answer in (
            client.get(f"{NEW}/{email_id}"),
            client.post(f"{NEW}/{email_id}/resend"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_EMAIL_FOUND")


def test_the_list_has_pages_of_five(
    mailbox: Mailbox, client_for: ClientFor, agent: User, django_assert_max_num_queries: Any
) -> None:
    everybody = ",".join(f"p{number}@x.example.com" for number in range(7))
    post(client_for, agent, email=everybody)
    client = client_for(agent)
    with django_assert_max_num_queries(3):
        body = client.get(NEW).json()
    assert [row["sender"][:2] for row in body["emails"]] == ["p6", "p5", "p4", "p3", "p2"]
    assert (body["count"], body["hasMore"], body["enabled"]) == (7, True, True)
    body = client.get(f"{NEW}?pageNumber=2").json()
    assert ([row["sender"][:2] for row in body["emails"]], body["hasMore"]) == (["p1", "p0"], False)


def test_what_the_server_says_is_shown_and_a_failure_is_sent_again(
    mailbox: Mailbox, client_for: ClientFor, agent: User
) -> None:
    client = client_for(agent)
    email_id = post(client_for, agent).json()["emails"][0]["id"]
    mailbox.answer = "451 Caixa cheia"
    deliver_due(limit=10)
    row = client.get(f"{NEW}/{email_id}").json()
    assert (row["status"], row["reason"]) == ("waiting", "451 Caixa cheia")
    assert client.post(f"{NEW}/{email_id}/resend").json()["code"] == "ERR_EMAIL_NOT_FAILED"
    mailbox.answer = "550 Caixa desconhecida"
    Mail.objects.update(next_attempt_at=timezone.now())
    deliver_due(limit=10)
    row = client.get(f"{NEW}/{email_id}").json()
    assert (row["status"], row["reason"]) == ("failed", "550 Caixa desconhecida")
    mailbox.answer = "250 OK"
    answer = client.post(f"{NEW}/{email_id}/resend")
    assert (answer.status_code, answer.json()["status"]) == (200, "waiting")
    deliver_due(limit=10)
    assert client.get(f"{NEW}/{email_id}").json()["status"] == "sent"
    assert len(mailbox.taken) == 1


def test_what_is_the_operators_to_read_is_not_shown(
    mailbox: Mailbox, client_for: ClientFor, agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(client_for, agent)
    Mail.objects.update(state=LeaseState.FAILED, last_error="[Errno 111] 10.0.0.7 refused")
    (row,) = client_for(agent).get("/api/listar-emails-enviados").json()
    assert (row["status"], row["reason"]) == ("failed", "")


def test_a_company_sends_so_many_in_a_day(
    mailbox: Mailbox, client_for: ClientFor, agent: User, admin: User, settings: Any
) -> None:
    settings.EMAILS_PER_DAY = 3
    assert post(client_for, agent, email="a@x.example.com,b@x.example.com").status_code == 201
    answer = post(client_for, admin, email="c@x.example.com,d@x.example.com")
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_EMAIL_LIMIT")
    assert post(client_for, admin).status_code == 201
    assert post(client_for, agent).status_code == 429
    Mail.objects.update(created_at=timezone.now() - timedelta(hours=24))
    assert post(client_for, agent).status_code == 201


def test_a_company_on_trial_sends_a_few(
    mailbox: Mailbox, client_for: ClientFor, agent: User, acme: Company
) -> None:
    acme.trial_expires_on = acme.due_date
    acme.save()
    everybody = ",".join(f"p{number}@x.example.com" for number in range(11))
    assert post(client_for, agent, email=everybody).json()["code"] == "ERR_EMAIL_LIMIT"
    assert post(client_for, agent, email=everybody.partition(",")[2]).status_code == 201


def test_one_person_sends_so_many_in_an_hour(
    mailbox: Mailbox, client_for: ClientFor, agent: User, admin: User, monkeypatch: Any
) -> None:
    monkeypatch.setattr(emails, "MOST_IN_AN_HOUR", 2)
    assert post(client_for, agent, email="a@x.example.com,b@x.example.com").status_code == 201
    answer = post(client_for, agent)
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    assert 3500 < answer.json()["retryAfter"] <= 3600
    assert post(client_for, admin).status_code == 201


def test_without_a_server_nothing_is_written_and_the_list_says_so(
    client_for: ClientFor, agent: User, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    answer = post(client_for, agent)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_MAIL_NOT_SET_UP")
    assert client_for(agent).get(NEW).json()["enabled"] is False


def test_the_products_own_go_first(mailbox: Mailbox, client_for: ClientFor, agent: User) -> None:
    post(client_for, agent)
    own = write_mail(
        company_id=agent.company_id,
        recipient=agent.email,
        template="accounts/mail/new_browser",
        language="pt",
    )
    assert own is not None
    assert outbox.MAILS.claim(1).ids == [own.pk]


def test_what_people_wrote_is_kept_longer(
    mailbox: Mailbox, client_for: ClientFor, agent: User
) -> None:
    post(client_for, agent)
    deliver_due(limit=10)
    soon = timezone.now() + timedelta(seconds=1)
    written = Mail.objects.filter(is_written=True)
    for days, purged in ((364, 0), (366, 1)):
        written.update(created_at=timezone.now() - timedelta(days=days))
        assert purge_finished(before=soon) == purged
    assert not Mail.objects.exists()
