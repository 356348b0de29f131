"""A new password for whoever forgot the own one (rules/accounts §11).

What is asked for and what is tried leave the same traces, and cost the same, whether or not the
address has an account: the row is made for any, and a task looks whose it is.
"""

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.accounts import events
from apps.accounts.models import PasswordReset, User
from apps.accounts.services.sessions import end_sessions
from apps.accounts.services.two_factor import ALPHABET
from apps.accounts.services.users import tell_owner
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, LeaseState
from apps.common.wakeups import wake
from apps.mail.services import require_server, write_mail

RESETS = LeasedWork(model=PasswordReset, lease_setting="MAIL_LEASE_SECONDS")
CODE_LENGTH = 8
CODE_LIFETIME = timedelta(minutes=15)
MOST_TRIES = 5
KEPT = timedelta(days=1)


class WrongResetCode(DomainError):
    """Another code, one that is too old, replaced or tried too often, or an address without one."""

    code = "ERR_RESET_CODE"
    message = "O código não confere ou não vale mais. Confira o e-mail ou peça outro código."

    def __init__(self) -> None:
        super().__init__(fields={"code": [self.message]})


def ask_reset(*, email: str, language: str) -> None:
    """Have a code sent to the address, if it has an account; an older code is good no more.

    Raises MailNotSetUp.
    """
    require_server()
    now = timezone.now()
    row = PasswordReset(email=email.strip().lower(), language=language[:10], asked_at=now)
    with transaction.atomic():
        PasswordReset.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["email"],
            update_fields=["language", "asked_at", "code_hash", "tries", "expires_at"],
        )
        PasswordReset.objects.filter(email=row.email).start_over(now)
        wake(PasswordReset.wakes)


def send_due_codes(*, limit: int) -> int:
    """Draw the codes that were asked for and write their mails; returns how many rows it saw.

    What was asked for a day ago is forgotten then.
    """
    with RESETS.claimed(limit) as claim:
        for row in claim.rows():
            _draw(row, claim)
    if claim.ids:
        PasswordReset.objects.filter(asked_at__lt=timezone.now() - KEPT).delete()
    return len(claim.ids)


def _draw(row: PasswordReset, claim: Claim[PasswordReset]) -> None:
    """Draw a code, for an address without an account too: its row must not look another."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    expires_at = timezone.now() + CODE_LIFETIME
    with transaction.atomic():
        drawn = {"code_hash": _hash(row.email, code), "expires_at": expires_at}
        if not claim.finish(row, **drawn):  # asked for anew meanwhile
            return
        user = _account_at(row.email)
        if user is not None:
            write_mail(
                company_id=user.company_id,
                recipient=user.email,
                template="accounts/mail/reset_code",
                language=row.language,
                secret=code,
                useless_at=expires_at,
                name=user.name,
                email=user.email,
                minutes=int(CODE_LIFETIME.total_seconds() // 60),
            )


def _account_at(email: str) -> User | None:
    """Return the account that may have a new password: one that is not switched off."""
    user: User | None = (
        User.objects.alias(lower_email=Lower("email"))
        .filter(lower_email=email, is_active=True, company__is_enabled=True)
        .first()
    )
    return user


def _hash(email: str, code: str) -> str:
    """Return what is kept of a code; without the server's key nobody tries all of them on it."""
    return salted_hmac("password reset", f"{email}:{code}", algorithm="sha256").hexdigest()


def reset_password(
    *, email: str, code: str, password: str, ip_address: str | None, language: str
) -> User:
    """Set the password of who shows the code that was sent; every session of the account ends.

    A second factor stays: the next sign-in asks for it. The person is told by e-mail. Raises
    WrongResetCode, whatever is wrong.
    """
    email = email.strip().lower()
    typed = "".join(code.upper().replace("-", "").split())
    alive = PasswordReset.objects.filter(email=email, expires_at__gt=timezone.now())
    # The try counts before the code is looked at, in one statement: as many at once get no further.
    counted = alive.filter(state=LeaseState.DONE, tries__lt=MOST_TRIES).update(tries=F("tries") + 1)
    row = alive.first()
    known = row.code_hash if row is not None else ""
    is_right = constant_time_compare(known, _hash(email, typed))
    if not (counted and row is not None and is_right):
        raise WrongResetCode
    with transaction.atomic():
        # Of two who show it at once the first has it.
        used, _ = PasswordReset.objects.filter(pk=row.pk, code_hash=known).delete()
        user = _account_at(email)
        if not used or user is None:
            raise WrongResetCode
        user.set_password(password)
        user.save(update_fields=["password", "updated_at"])
        end_sessions(user)
        events.signed_in_elsewhere(user)
        record(
            action="user.password_reset",
            actor=user,
            company_id=user.company_id,
            target=user,
            ip_address=ip_address,
        )
        tell_owner(user, user.email, ["password"], ip_address, language)
    return user
