"""The present password, asked for before what only the account's owner may do."""

from apps.accounts.models import User
from apps.common.attempts import Attempts
from apps.common.errors import DomainError

FREE_GUESSES = 10


class WrongPassword(DomainError):
    """The present password is another."""

    code = "ERR_WRONG_PASSWORD"
    message = "A senha atual não confere."

    def __init__(self) -> None:
        super().__init__(fields={"currentPassword": [self.message]})


def check_current_password(user: User, password: str) -> None:
    """Refuse a wrong one, as often as at a login: who holds the session may not be its owner.

    Raises WrongPassword, and TooManyAttempts after ten of those.
    """
    guesses = Attempts(f"own-password:{user.pk}", free=FREE_GUESSES)
    guesses.begin()
    if not user.check_password(password):
        raise WrongPassword
    guesses.forget()
