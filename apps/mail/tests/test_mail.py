"""E-mails over the real SMTP wire, to a server of our own."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.mail.models import Mail
from apps.mail.services import deliver_due, outbox, send_again, write_mail
from conftest import ClientFor
from tests.factories import PASSWORD
from tests.mailbox import Mailbox, serving
from tests.services import free_port

pytestmark = [
    pytest.mark.django_db,
    # The login goes over loopback.
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]

NEW = "Outra-senha-1"


@pytest.fixture
def mailbox(settings: Any) -> Iterator[Mailbox]:
    """A server at the operator's side that asks for a login."""
    with serving() as box:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "balcao", "segredo"
        settings.EMAIL_USE_TLS = False
        settings.DEFAULT_FROM_EMAIL = "Balcão <nao-responda@loja.example.com>"
        settings.PUBLIC_URL = "https://balcao.example.com"
        yield box


@pytest.fixture
def mail(mailbox: Mailbox, agent: User) -> Mail:
    """One that waits."""
    written = write_mail(
        company_id=agent.company_id,
        recipient=agent.email,
        template="accounts/mail/password_changed",
        language="pt",
        name="José & Filhos",
        email=agent.email,
        moment=timezone.now(),
        ip_address=None,
    )
    assert written is not None
    return written


def state(mail: Mail) -> tuple[str, str]:
    mail.refresh_from_db()
    return mail.state, mail.last_error


def test_a_mail_arrives_once_and_whole(mailbox: Mailbox, mail: Mail) -> None:
    assert (deliver_due(limit=10), deliver_due(limit=10)) == (1, 0)
    assert state(mail) == (LeaseState.DONE, "")
    ((sender, recipients, message),) = mailbox.taken
    assert (sender, recipients) == ("nao-responda@loja.example.com", [mail.recipient])
    assert message["Subject"] == "Sua senha no Balcão foi alterada"
    assert message["From"] == "Balcão <nao-responda@loja.example.com>"
    assert message["Message-ID"] == mail.message_id
    assert mail.message_id.endswith("@balcao.example.com>")
    (text,) = mailbox.texts_to(mail.recipient)
    page = message.get_body(("html",))
    assert page is not None
    assert "<p>Olá, José &amp; Filhos!</p>" in re.sub(' style="[^"]*"', "", page.get_content())
    assert "Olá, José & Filhos!" in text
    assert "https://balcao.example.com" in text


def test_without_a_server_no_mail_is_written_and_none_waits(
    agent: User, mail: Mail, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    told: dict[str, Any] = {"template": "accounts/mail/password_changed", "language": "pt"}
    assert write_mail(company_id=agent.company_id, recipient=agent.email, **told) is None
    assert deliver_due(limit=10) == 0
    assert state(mail) == (LeaseState.FAILED, "EMAIL_HOST is not set.")


@pytest.mark.parametrize("answer", ["451 Mais tarde", "421 Reiniciando"])
def test_a_server_that_says_later_is_asked_again(mailbox: Mailbox, mail: Mail, answer: str) -> None:
    mailbox.answer = answer
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.WAITING
    assert mail.next_attempt_at > timezone.now()
    mailbox.answer = "250 OK"
    Mail.objects.update(next_attempt_at=timezone.now())
    deliver_due(limit=10)
    assert state(mail) == (LeaseState.DONE, "")
    assert len(mailbox.taken) == 1


def test_a_refusal_for_good_ends_it_until_somebody_sends_again(
    mailbox: Mailbox, mail: Mail
) -> None:
    mailbox.answer = "550 Caixa desconhecida"
    deliver_due(limit=10)
    refused, why = state(mail)
    assert (refused, "Caixa desconhecida" in why) == (LeaseState.FAILED, True)
    mailbox.answer = "250 OK"
    assert (send_again([mail.pk]), send_again([mail.pk])) == (1, 0)
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.DONE


def test_a_wrong_login_and_a_server_that_is_away_wait_for_the_operator(
    mailbox: Mailbox, mail: Mail, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_HOST_PASSWORD = "errado"
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.WAITING
    settings.EMAIL_HOST_PASSWORD, settings.EMAIL_PORT = "segredo", free_port()
    Mail.objects.update(next_attempt_at=timezone.now())
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.WAITING
    monkeypatch.setattr(outbox, "MAX_ATTEMPTS", 3)
    Mail.objects.update(next_attempt_at=timezone.now())
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.FAILED


def test_a_secret_is_sent_and_forgotten(mailbox: Mailbox, agent: User) -> None:
    told: dict[str, Any] = {"template": "accounts/mail/reset_code", "language": "pt"}
    told |= {"company_id": agent.company_id, "recipient": agent.email}
    soon = timezone.now() + timedelta(minutes=15)
    sent = write_mail(**told, secret="AB2CD3EF", useless_at=soon)
    late = write_mail(**told, secret="AB2CD3EG", useless_at=timezone.now())
    refused = write_mail(**told, secret="AB2CD3EH", useless_at=soon)
    assert sent and late and refused
    deliver_due(limit=2)
    (text,) = mailbox.texts_to(agent.email)
    assert "\nAB2CD3EF\n" in text
    page = mailbox.taken[0][2].get_body(("html",))
    assert page is not None
    assert ">AB2CD3EF</p>" in page.get_content()
    mailbox.answer = "550 Caixa desconhecida"
    deliver_due(limit=2)
    assert [state(each)[0] for each in (sent, late, refused)] == [
        *(LeaseState.DONE, LeaseState.FAILED, LeaseState.FAILED),
    ]
    assert not Mail.objects.exclude(secret="").exists()
    assert not Mail.objects.filter(body__contains="AB2CD3E").exists()
    assert send_again([late.pk, refused.pk]) == 0


def test_nobody_writes_headers_of_their_own(mailbox: Mailbox, mail: Mail) -> None:
    Mail.objects.update(subject="Oi\nBcc: outra@pessoa.example.com")
    deliver_due(limit=10)
    assert state(mail)[0] == LeaseState.FAILED
    assert mailbox.taken == []


def test_two_workers_send_a_mail_once(mailbox: Mailbox, mail: Mail) -> None:
    claim = outbox.MAILS.claim(10)
    assert (len(claim.ids), deliver_due(limit=10)) == (1, 0)


@pytest.mark.parametrize(
    ("accepted", "subject"),
    [
        ("", "Sua senha no Balcão foi alterada"),
        ("de-DE", "Sua senha no Balcão foi alterada"),
        ("en-US,en;q=0.9", "Your password at Balcão was changed"),
        ("es", "Su contraseña en Balcão fue cambiada"),
    ],
)
def test_who_changes_the_own_password_is_told_in_the_language_of_the_browser(
    mailbox: Mailbox, client_for: ClientFor, agent: User, accepted: str, subject: str
) -> None:
    answer = client_for(agent).put(
        f"/api/users/{agent.pk}",
        {"password": NEW, "currentPassword": PASSWORD},
        format="json",
        headers={"Accept-Language": accepted} if accepted else {},
    )
    assert answer.status_code == 200, answer.content
    mail = Mail.objects.get()
    assert (mail.recipient, mail.subject, mail.company_id) == (
        *(agent.email, subject, agent.company_id),
    )
    assert "127.0.0.1" in mail.body
    assert NEW not in mail.body


def test_nothing_is_told_of_other_changes_or_of_refused_ones(
    mailbox: Mailbox, client_for: ClientFor, agent: User, admin: User, acme: Company
) -> None:
    path = f"/api/users/{agent.pk}"
    assert client_for(agent).put(path, {"name": "Novo nome"}, format="json").status_code == 200
    wrong = {"password": NEW, "currentPassword": "errada"}
    assert client_for(agent).put(path, wrong, format="json").status_code == 400
    assert client_for(admin).put(path, {"password": NEW}, format="json").status_code == 200
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    ("language", "subject"),
    [
        ("pt-BR", "Seu e-mail no Balcão foi alterado"),
        ("en", "Your e-mail at Balcão was changed"),
        ("es", "Su correo electrónico en Balcão fue cambiado"),
    ],
)
def test_a_new_own_address_is_told_to_the_one_before(
    mailbox: Mailbox, client_for: ClientFor, agent: User, language: str, subject: str
) -> None:
    owner, thief = agent.email, "ladrao@example.com"
    answer = client_for(agent).put(
        f"/api/users/{agent.pk}",
        {"email": thief, "currentPassword": PASSWORD},
        format="json",
        headers={"Accept-Language": language},
    )
    assert answer.status_code == 200, answer.content
    mail = Mail.objects.get()
    assert (mail.recipient, mail.subject) == (owner, subject)
    assert all(each in mail.body for each in (owner, thief, "127.0.0.1"))


def test_who_changes_address_and_password_at_once_keeps_neither_from_the_owner(
    mailbox: Mailbox, client_for: ClientFor, agent: User
) -> None:
    owner = agent.email
    body = {"email": "ladrao@example.com", "password": NEW, "currentPassword": PASSWORD}
    answer = client_for(agent).put(f"/api/users/{agent.pk}", body, format="json")
    assert answer.status_code == 200, answer.content
    mails = Mail.objects.order_by("pk")
    assert [(mail.recipient, mail.subject) for mail in mails] == [
        (owner, "Seu e-mail no Balcão foi alterado"),
        (owner, "Sua senha no Balcão foi alterada"),
    ]
