"""Writing e-mails and handing them to the operator's SMTP server.

A mail is a row in the transaction of what it tells of. A server that is away, or says 'later', is
asked again; one that refuses for good ends it, and the super user sees why in the admin.
"""

import logging
import smtplib
from datetime import timedelta
from email.utils import make_msgid
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.utils import timezone

from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.wakeups import wake
from apps.mail.models import Mail

logger = logging.getLogger(__name__)

MAILS = LeasedWork(model=Mail, lease_setting="MAIL_LEASE_SECONDS")
# With the waits between them about a day.
MAX_ATTEMPTS = 30
LONGEST_WAIT = 3600.0
REFUSED_FOR_GOOD = 500
LANGUAGES = ("pt", "en", "es")


def is_set_up() -> bool:
    """Tell whether the operator has named a server for e-mails."""
    return bool(settings.EMAIL_HOST)


def write_mail(
    *, company_id: int, recipient: str, template: str, language: str, **told: object
) -> Mail | None:
    """Write an e-mail in the caller's transaction; None where mail is not set up.

    `template` is the path of a text without its language ('accounts/mail/password_changed'), whose
    first line is the subject; `told` are its variables.
    """
    if not is_set_up():
        return None
    known = language if language in LANGUAGES else LANGUAGES[0]
    text = render_to_string(f"{template}.{known}.txt", {**told, "address": settings.PUBLIC_URL})
    subject, _, body = text.partition("\n")
    mail = Mail.objects.create(
        company_id=company_id,
        recipient=recipient,
        subject=" ".join(subject.split())[:200],
        body=body.strip() + "\n",
        message_id=make_msgid(domain=urlsplit(settings.PUBLIC_URL).hostname or "localhost"),
    )
    wake(Mail.wakes)
    return mail


def deliver_due(*, limit: int) -> int:
    """Claim up to `limit` due mails and send them; returns their number.

    Waits for the network: never call it inside a transaction.
    """
    if not is_set_up():
        Mail.objects.unfinished().fail("EMAIL_HOST is not set.")
        return 0
    with MAILS.claimed(limit) as claim:
        for mail in claim.rows():
            _send(mail, claim)
        return len(claim.ids)


def _send(mail: Mail, claim: Claim[Mail]) -> None:
    message = EmailMessage(
        mail.subject,
        mail.body,
        settings.DEFAULT_FROM_EMAIL,
        [mail.recipient],
        headers={"Message-ID": mail.message_id, "Auto-Submitted": "auto-generated"},
        connection=get_connection(),
    )
    try:
        message.send()
    except (OSError, smtplib.SMTPException, ValueError) as error:
        logger.warning("Mail %s was not taken: %s", mail.pk, type(error).__name__)
        if _is_final(error) or mail.attempts >= MAX_ATTEMPTS:
            claim.fail(mail, str(error))
        else:
            wait = retry_delay(mail.attempts, longest=LONGEST_WAIT)
            claim.retry_later(mail, timezone.now() + timedelta(seconds=wait), str(error))
    else:
        claim.finish(mail)


def _is_final(error: Exception) -> bool:
    """Tell whether the server refused this very mail; what is wrong with the account may heal."""
    if isinstance(error, ValueError):  # no header can be made of it
        return True
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        return all(code >= REFUSED_FOR_GOOD for code in codes)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return False
    code = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0
    return code >= REFUSED_FOR_GOOD


def send_again(mails: "list[int]") -> int:
    """Put failed mails back to work; returns how many were."""
    failed = Mail.objects.filter(pk__in=mails, state=LeaseState.FAILED)
    count = failed.start_over(timezone.now())
    wake(Mail.wakes)
    return count
