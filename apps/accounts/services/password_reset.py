"""Reset of a forgotten password (rules/accounts §11).

A request or an attempt must not disclose whether the address has an account: it has the same
effects and takes the same time. So a row is created for any address, and a task looks up the
account.
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
    """The code is wrong, expired, replaced or tried too often, or the address has none."""

    code = "ERR_RESET_CODE"
    message = "O código não confere ou não vale mais. Confira o e-mail ou peça outro código."

    def __init__(self) -> None:
        super().__init__(fields={"code": [self.message]})


def ask_reset(*, email: str, language: str) -> None:
    """Have a code sent to the address, if it has an account.

    An older code becomes invalid. Raises MailNotSetUp.
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
    """Generate the requested codes and queue their e-mails; returns the number of claimed rows.

    Afterwards, requests older than a day are deleted.
    """
    with RESETS.claimed(limit) as claim:
        for row in claim.rows():
            _draw(row, claim)
    if claim.ids:
        PasswordReset.objects.filter(asked_at__lt=timezone.now() - KEPT).delete()
    return len(claim.ids)


def _draw(row: PasswordReset, claim: Claim[PasswordReset]) -> None:
    """Generate a code, also for an address without an account: its row must look the same."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    expires_at = timezone.now() + CODE_LIFETIME
    with transaction.atomic():
        drawn = {"code_hash": _hash(row.email, code), "expires_at": expires_at}
        if not claim.finish(row, **drawn):  # a newer request has reset the row
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
    """Return the active account of an active company at this address, or None."""
    user: User | None = (
        User.objects.alias(lower_email=Lower("email"))
        .filter(lower_email=email, is_active=True, company__is_enabled=True)
        .first()
    )
    return user


def _hash(email: str, code: str) -> str:
    """Return a code's keyed hash.

    Without the server's key, the hash can't be attacked by brute force.
    """
    return salted_hmac("password reset", f"{email}:{code}", algorithm="sha256").hexdigest()


def reset_password(
    *, email: str, code: str, password: str, ip_address: str | None, language: str
) -> User:
    """Set a new password with the code that was sent by e-mail, and end every session of the
    account.

    The second factor stays: the next sign-in asks for it. The owner is notified by e-mail. Raises
    WrongResetCode for every failure.
    """
    email = email.strip().lower()
    typed = "".join(code.upper().replace("-", "").split())
    alive = PasswordReset.objects.filter(email=email, expires_at__gt=timezone.now())
    # One statement counts the attempt before the code is compared, so that parallel attempts can't
    # exceed the limit.
    counted = alive.filter(state=LeaseState.DONE, tries__lt=MOST_TRIES).update(tries=F("tries") + 1)
    row = alive.first()
    known = row.code_hash if row is not None else ""
    is_right = constant_time_compare(known, _hash(email, typed))
    if not (counted and row is not None and is_right):
        raise WrongResetCode
    with transaction.atomic():
        # Only the first of two parallel requests deletes the row and may use the code.
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
