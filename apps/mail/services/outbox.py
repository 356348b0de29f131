"""The outbox: stores e-mails and sends them by the operator's SMTP server.

A mail is a row that is written in the transaction of the change that it reports. It is retried
while the server can't be reached or answers with a temporary error. A permanent error ends it; the
super user sees the reason in the admin.
"""

import logging
import smtplib
from datetime import datetime, timedelta
from email.utils import formataddr, make_msgid
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils import timezone

from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.wakeups import wake
from apps.mail.models import SECRET_MARK, Mail

logger = logging.getLogger(__name__)

MAILS = LeasedWork(
    model=Mail, lease_setting="MAIL_LEASE_SECONDS", before="is_written", counts=False
)
# About a day with the pauses between attempts.
MAX_ATTEMPTS = 30
LONGEST_WAIT = 3600.0
REFUSED_FOR_GOOD = 500
TOO_LATE = "The server did not take it before it had become useless."
LANGUAGES = ("pt", "en", "es")


def is_set_up() -> bool:
    """Tell whether the operator has configured an SMTP server."""
    return bool(settings.EMAIL_HOST)


class MailNotSetUp(DomainError):
    """The operator has configured no SMTP server."""

    status = 409
    code = "ERR_MAIL_NOT_SET_UP"
    message = "Este servidor ainda não envia e-mails. Fale com o administrador."


def require_server() -> None:
    """Raise MailNotSetUp if no SMTP server is configured."""
    if not is_set_up():
        raise MailNotSetUp


def write_mail(
    *,
    company_id: int,
    recipient: str,
    template: str,
    language: str,
    secret: str = "",
    useless_at: datetime | None = None,
    **told: object,
) -> Mail | None:
    """Queue an e-mail in the caller's transaction; return None if mail is not set up.

    `template` is the path of a text without its language ('accounts/mail/password_changed'). Its
    first line is the subject, and `told` are its variables. `secret` replaces `{{ secret }}`. It is
    deleted when the mail was sent, has failed, or expires at `useless_at`.
    """
    if not is_set_up():
        return None
    known = language if language in LANGUAGES else LANGUAGES[0]
    text = render_to_string(
        f"{template}.{known}.txt",
        {**told, "secret": SECRET_MARK, "address": settings.PUBLIC_URL},
    )
    subject, _, body = text.partition("\n")
    mail = Mail.objects.create(
        company_id=company_id,
        recipient=recipient,
        subject=" ".join(subject.split())[:200],
        body=body.strip() + "\n",
        secret=secret,
        useless_at=useless_at,
        message_id=new_message_id(),
    )
    wake(Mail.wakes)
    return mail


def new_message_id() -> str:
    return make_msgid(domain=urlsplit(settings.PUBLIC_URL).hostname or "localhost")


def deliver_due(*, limit: int) -> int:
    """Claim up to `limit` due mails and send them; return the number of claimed ones.

    It waits for the network: never call it inside a transaction.
    """
    if not is_set_up():
        Mail.objects.unfinished().fail("EMAIL_HOST is not set.", secret="")
        return 0
    with MAILS.claimed(limit) as claim:
        for mail in claim.rows():
            _send(mail, claim)
        return len(claim.ids)


def _send(mail: Mail, claim: Claim[Mail]) -> None:
    if mail.useless_at is not None and mail.useless_at <= timezone.now():
        claim.fail(mail, TOO_LATE, secret="")
        return
    try:
        claim.begin(mail, MAX_ATTEMPTS)
        _message_of(mail).send()
    except (OSError, smtplib.SMTPException, ValueError) as error:
        logger.warning("Mail %s was not taken: %s", mail.pk, type(error).__name__)
        _record_error(mail, claim, error)
    except Exception as error:
        logger.exception("Mail %s failed by a fault of our own", mail.pk)
        _record_error(mail, claim, error)
    else:
        claim.finish(mail, secret="")


def _record_error(mail: Mail, claim: Claim[Mail], error: Exception) -> None:
    if _is_final(error) or mail.attempts >= MAX_ATTEMPTS:
        claim.fail(mail, _said(error), secret="")
    else:
        wait = retry_delay(mail.attempts, longest=LONGEST_WAIT)
        claim.retry_later(mail, timezone.now() + timedelta(seconds=wait), _said(error))


def _message_of(mail: Mail) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        mail.subject,
        _filled(mail, mail.body),
        settings.DEFAULT_FROM_EMAIL,
        [mail.recipient],
        reply_to=[_reply_address(mail)] if mail.reply_to else None,
        headers={
            "Message-ID": mail.message_id,
            **({} if mail.is_written else {"Auto-Submitted": "auto-generated"}),
        },
        connection=get_connection(),
    )
    if not mail.is_written:
        message.attach_alternative(_page_of(mail), "text/html")
    return message


def _filled(mail: Mail, text: str) -> str:
    return text.replace(SECRET_MARK, mail.secret) if mail.secret else text


def _page_of(mail: Mail) -> str:
    """Return the HTML of a mail of the product: its text in the common layout."""
    *texts, address = mail.body.strip().split("\n\n")
    paragraphs = [
        {"text": _filled(mail, text), "is_secret": bool(mail.secret) and text == SECRET_MARK}
        for text in texts
    ]
    told = {"subject": mail.subject, "paragraphs": paragraphs, "address": address}
    return render_to_string("mail/own.html", told)


def _reply_address(mail: Mail) -> str:
    """Return the address for replies, with the author's name unless a header can't contain it."""
    name = mail.author_name if mail.author_name.isprintable() else ""
    return formataddr((name, mail.reply_to))


def _said(error: Exception) -> str:
    """Return the server's message, as '550 No such user', else the error's text."""
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return str(error)
    words = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return f"{code} {' '.join(words.split())}"


def _is_final(error: Exception) -> bool:
    """Tell whether the server rejected this mail for good.

    An authentication error is temporary, because the operator may correct the account.
    """
    if isinstance(error, ValueError):  # a header has an invalid value
        return True
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        return all(code >= REFUSED_FOR_GOOD for code in codes)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return False
    code = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0
    return code >= REFUSED_FOR_GOOD


def send_again(mails: "list[int]") -> int:
    """Queue failed mails again; return their number.

    Mails with `useless_at` are skipped: their secret was deleted, and they need it.
    """
    failed = Mail.objects.filter(pk__in=mails, state=LeaseState.FAILED, useless_at=None)
    count = failed.start_over(timezone.now())
    wake(Mail.wakes)
    return count
