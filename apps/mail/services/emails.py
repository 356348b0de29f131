"""E-mails that users write (rules/emails)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from rest_framework.exceptions import Throttled

from apps.common.errors import DomainError, NotFound
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.mail.models import Mail
from apps.mail.services.outbox import new_message_id, require_server

if TYPE_CHECKING:
    # The type of AUTH_USER_MODEL: this app is below `accounts` and may not import it.
    from apps.common.callers import User

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
# The limit of one user; the limit of a company per day is EMAILS_PER_DAY.
MOST_IN_AN_HOUR = 60
# The daily limit of a company in its trial, which anybody can open without paying.
MOST_IN_A_TRIAL = 10


class EmailNotFound(NotFound):
    """The company has no such e-mail, or another user wrote it."""

    code = "ERR_NO_EMAIL_FOUND"
    message = "E-mail não encontrado."


class EmailLimitReached(DomainError):
    """The company has reached its limit of e-mails in 24 hours."""

    status = 429
    code = "ERR_EMAIL_LIMIT"
    message = "Sua empresa já enviou todos os e-mails que pode em 24 horas. Tente de novo amanhã."


class EmailNotFailed(DomainError):
    """The e-mail was sent or is still queued: only failed ones can be sent again."""

    status = 409
    code = "ERR_EMAIL_NOT_FAILED"
    message = "Este e-mail já foi enviado ou ainda está na fila."


def send_email(
    *, author: "User", recipients: Sequence[str], subject: str, message: str
) -> list[Mail]:
    """Queue an e-mail to each address, in the author's name; all of them or none.

    Raises MailNotSetUp, EmailLimitReached, and Throttled if the author sends too many.
    """
    require_server()
    with transaction.atomic():
        _check_limits(author, len(recipients))
        mails = [
            Mail(
                company_id=author.company_id,
                is_written=True,
                author_id=author.pk,
                author_name=author.name,
                reply_to=author.email,
                recipient=recipient,
                subject=subject,
                body=message,
                message_id=new_message_id(),
            )
            for recipient in recipients
        ]
        Mail.objects.bulk_create(mails)
        wake(Mail.wakes)
    return mails


def _check_limits(author: "User", count: int) -> None:
    # The lock serialises the requests of a company; concurrent ones could exceed the limits.
    companies: Any = type(author.company)._default_manager
    company = companies.select_for_update().get(pk=author.company_id)
    now = timezone.now()
    written = Mail.objects.for_company(author.company_id).filter(is_written=True)
    own = written.filter(author_id=author.pk, created_at__gt=now - HOUR).order_by("pk")
    if own.count() + count > MOST_IN_AN_HOUR:
        first = own.values_list("created_at", flat=True).first() or now
        raise Throttled((first + HOUR - now).total_seconds())
    is_trial = company.trial_expires_on is not None and company.trial_expires_on == company.due_date
    most = min(MOST_IN_A_TRIAL, settings.EMAILS_PER_DAY) if is_trial else settings.EMAILS_PER_DAY
    if written.filter(created_at__gt=now - DAY).count() + count > most:
        raise EmailLimitReached


def get_email(*, user: "User", email_id: int) -> Mail:
    """Return an e-mail that the user may see; raises EmailNotFound."""
    mail = Mail.objects.visible_to(user).filter(pk=email_id).first()
    if mail is None:
        raise EmailNotFound
    return mail


def resend_email(*, user: "User", email_id: int) -> Mail:
    """Queue a failed e-mail again; raises EmailNotFound, EmailNotFailed and MailNotSetUp."""
    require_server()
    with transaction.atomic():
        mail = get_email(user=user, email_id=email_id)
        failed = Mail.objects.filter(pk=mail.pk, state=LeaseState.FAILED)
        if not failed.start_over(timezone.now()):
            raise EmailNotFailed
        wake(Mail.wakes)
    mail.refresh_from_db()
    return mail
