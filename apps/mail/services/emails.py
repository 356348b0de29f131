"""E-mails that people of a company write (rules/emails)."""

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
    # What AUTH_USER_MODEL names, which this app stands too low to import.
    from django.contrib.auth.models import _User as User

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
# Of one person in an hour; a company's people together in a day: EMAILS_PER_DAY.
MOST_IN_AN_HOUR = 60
# Whoever opened a company by themselves has paid nothing yet, and may be anybody.
MOST_IN_A_TRIAL = 10


class EmailNotFound(NotFound):
    """The company has no such e-mail, or somebody else's."""

    code = "ERR_NO_EMAIL_FOUND"
    message = "E-mail não encontrado."


class EmailLimitReached(DomainError):
    """The company has sent as many in 24 hours as it may."""

    status = 429
    code = "ERR_EMAIL_LIMIT"
    message = "Sua empresa já enviou todos os e-mails que pode em 24 horas. Tente de novo amanhã."


class EmailNotFailed(DomainError):
    """It was sent, or still waits: only what failed is sent again."""

    status = 409
    code = "ERR_EMAIL_NOT_FAILED"
    message = "Este e-mail já foi enviado ou ainda está na fila."


def send_email(
    *, author: "User", recipients: Sequence[str], subject: str, message: str
) -> list[Mail]:
    """Write an e-mail to each of some addresses, in the author's name.

    None is written unless all may be. Raises MailNotSetUp, EmailLimitReached, and Throttled where
    one person sends too many.
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
    # Several at once would each find room: they go one after the other.
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
    """Put a failed e-mail back to work; raises EmailNotFound, EmailNotFailed and MailNotSetUp."""
    require_server()
    with transaction.atomic():
        mail = get_email(user=user, email_id=email_id)
        failed = Mail.objects.filter(pk=mail.pk, state=LeaseState.FAILED)
        if not failed.start_over(timezone.now()):
            raise EmailNotFailed
        wake(Mail.wakes)
    mail.refresh_from_db()
    return mail
