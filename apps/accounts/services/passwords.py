"""Check of the current password, before actions that only the account's owner may do."""

from django.conf import settings

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.attempts import Attempts
from apps.common.errors import DomainError

FREE_GUESSES = 10


class WrongPassword(DomainError):
    code = "ERR_WRONG_PASSWORD"
    message = "A senha atual não confere."

    def __init__(self) -> None:
        super().__init__(fields={"currentPassword": [self.message]})


class CurrentPasswordMissing(DomainError):
    """The change needs the current password; older browsers have no field for it."""

    code = "ERR_CURRENT_PASSWORD_REQUIRED"
    message = "Informe a senha atual para mudar o seu e-mail ou a sua senha."

    def __init__(self) -> None:
        sentence = (
            f"{self.message} Se esta tela não pede a senha atual, abra {settings.PUBLIC_URL} e use"
            " 'Perfil', no menu da sua conta."
        )
        super().__init__(sentence, fields={"currentPassword": [sentence]})


def check_current_password(user: User, password: str, *, ip_address: str | None) -> None:
    """Refuse a wrong current password, with limited attempts: the session may have been stolen.

    Do not call it inside a transaction that a refusal rolls back, since each wrong password is
    audited. Raises WrongPassword, and TooManyAttempts after ten wrong ones.
    """
    guesses = Attempts(f"own-password:{user.pk}", free=FREE_GUESSES)
    guesses.begin()
    if not user.check_password(password):
        record(
            action="user.password_refused",
            actor=user,
            company_id=user.company_id,
            target=user,
            ip_address=ip_address,
        )
        raise WrongPassword
    guesses.forget()
