"""An e-mail that an account has already, in this or another company (rules/accounts §1)."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.attempts import Attempts
from apps.common.errors import DomainError

# How many taken e-mails a company's admins may meet before each needs a wait.
FREE_TAKEN = 10


class EmailTaken(DomainError):
    """An account with this e-mail exists, in this or another company."""

    code = "ERR_EMAIL_EXISTS"
    message = "Já existe um usuário com este e-mail."

    def __init__(self) -> None:
        super().__init__(fields={"email": [self.message]})


def save_user(user: User) -> None:
    """Save the user; raises EmailTaken on the database's uniqueness error."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        if "email" in str(error):
            raise EmailTaken from error
        raise


@contextmanager
def counted_address(company_id: int, *, is_counted: bool) -> Iterator[None]:
    """Count the enclosed save of an e-mail if it is taken: the answer tells that an account exists.

    The count is the company's. Raises TooManyAttempts.
    """
    if not is_counted:
        yield
        return
    attempts = Attempts(f"taken-email:{company_id}", free=FREE_TAKEN)
    attempts.begin()
    try:
        yield
    except EmailTaken:
        raise
    except Exception:
        attempts.forgive()
        raise
    attempts.forgive()


def record_taken(
    actor: User, email: str, ip_address: str | None, target: User | None = None
) -> None:
    """Audit a refused e-mail, after the rollback of what was refused."""
    record(
        action="user.email_refused",
        actor=actor,
        company_id=actor.company_id,
        target=target,
        detail={"email": email.strip().lower()},
        ip_address=ip_address,
    )
