"""The second factor of a sign-in: codes of an authenticator application (rules/accounts §10)."""

import secrets
import time
from dataclasses import dataclass

import pyotp
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Authenticator, RecoveryCode, User
from apps.accounts.queries import authenticator_of
from apps.accounts.services.passwords import check_current_password
from apps.accounts.tokens import token_hash
from apps.audit.services import record
from apps.common.errors import DomainError

ISSUER = "Balcão"
INTERVAL_SECONDS = 30
# The number of intervals by which the user's clock may be off (RFC 6238 §5.2).
DRIFT = 1
RECOVERY_CODES = 10
# Without letters and digits that are easily confused.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


class SecondFactorMissing(DomainError):
    """The password is right, but the second factor is missing or wrong.

    The status is 401, since login never answers 403.
    """

    status = 401


class TwoFactorRequired(SecondFactorMissing):
    """The account needs a code, and none was given."""

    code = "ERR_TWO_FACTOR_REQUIRED"
    message = "Informe o código de 6 dígitos do seu aplicativo autenticador."


class WrongTwoFactorCode(SecondFactorMissing):
    """The code is wrong, too old or already used."""

    code = "ERR_TWO_FACTOR_CODE"
    message = "O código não confere. Espere o próximo no aplicativo e tente de novo."


class CodeRefused(DomainError):
    """The code that was entered to confirm a new second factor is wrong."""

    code = "ERR_TWO_FACTOR_CODE"
    message = "O código não confere. Espere o próximo no aplicativo e tente de novo."

    def __init__(self) -> None:
        super().__init__(fields={"code": [self.message]})


class TwoFactorActive(DomainError):
    """The account already has a second factor, which must be removed first."""

    status = 409
    code = "ERR_TWO_FACTOR_ACTIVE"
    message = "A verificação em duas etapas já está ativa. Desative-a antes de configurar outra."


class TwoFactorNotBegun(DomainError):
    """There is no secret to confirm: call `begin` first."""

    status = 409
    code = "ERR_TWO_FACTOR_NOT_BEGUN"
    message = "Comece de novo: leia o código QR com o aplicativo autenticador."


@dataclass(frozen=True)
class Enrolment:
    """The data for an authenticator: the secret to type, and the address for a QR code."""

    secret: str
    address: str


def require_code(user: User, code: str) -> None:
    """Check the second factor of a sign-in, if the account has one.

    Call it after the password was found right, and count a failure like a wrong password. Raises
    TwoFactorRequired without a code, and WrongTwoFactorCode.
    """
    row = authenticator_of(user)
    if row is None:
        return
    if not code.strip():
        raise TwoFactorRequired
    if not (_take(row, code) or _take_recovery_code(user, code)):
        raise WrongTwoFactorCode


def begin(*, user: User, current_password: str, ip_address: str | None) -> Enrolment:
    """Generate a new secret, which has no effect until `confirm`.

    Raises WrongPassword, TooManyAttempts and TwoFactorActive.
    """
    check_current_password(user, current_password, ip_address=ip_address)
    secret = pyotp.random_base32()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # serializes parallel requests of one user
        if authenticator_of(user) is not None:
            raise TwoFactorActive
        Authenticator.objects.update_or_create(
            user=user, defaults={"secret": secret, "last_interval": 0}
        )
    address = pyotp.TOTP(secret).provisioning_uri(name=user.email, issuer_name=ISSUER)
    return Enrolment(secret, address)


def confirm(*, user: User, code: str, ip_address: str | None) -> list[str]:
    """Activate the second factor with a first code; returns the recovery codes.

    They can't be read again. Raises TwoFactorNotBegun, TwoFactorActive and CodeRefused.
    """
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().filter(user=user).first()
        if row is None:
            raise TwoFactorNotBegun
        if row.confirmed_at is not None:
            raise TwoFactorActive
        if not _take(row, code):
            raise CodeRefused
        Authenticator.objects.filter(pk=row.pk).update(confirmed_at=timezone.now())
        codes = _draw_recovery_codes(user)
        record(
            action="user.two_factor_enabled",
            actor=user,
            company_id=user.company_id,
            target=user,
            ip_address=ip_address,
        )
    return codes


def renew_recovery_codes(*, user: User, current_password: str, ip_address: str | None) -> list[str]:
    """Generate new recovery codes; the old ones become invalid.

    Raises WrongPassword, TooManyAttempts, and TwoFactorNotBegun where there is no second factor.
    """
    check_current_password(user, current_password, ip_address=ip_address)
    with transaction.atomic():
        if authenticator_of(user) is None:
            raise TwoFactorNotBegun
        codes = _draw_recovery_codes(user)
        record(
            action="user.recovery_codes_renewed",
            actor=user,
            company_id=user.company_id,
            target=user,
            ip_address=ip_address,
        )
    return codes


def disable(*, user: User, current_password: str, ip_address: str | None) -> None:
    """Remove the user's own second factor, if there is one.

    Raises WrongPassword and TooManyAttempts.
    """
    check_current_password(user, current_password, ip_address=ip_address)
    take_away(user=user, actor=user, ip_address=ip_address)


def take_away(*, user: User, actor: User | None, ip_address: str | None = None) -> bool:
    """Remove a user's second factor and recovery codes; returns whether there was one."""
    with transaction.atomic():
        gone, _ = Authenticator.objects.filter(user=user).delete()
        RecoveryCode.objects.filter(user=user).delete()
        if gone:
            record(
                action="user.two_factor_disabled",
                actor=actor,
                company_id=user.company_id,
                target=user,
                detail={"name": user.name},
                ip_address=ip_address,
            )
    return bool(gone)


def _take(row: Authenticator, code: str) -> bool:
    """Accept a code of the authenticator once; refuse it, and every older code, afterwards."""
    digits = "".join(code.split())
    if not (digits.isascii() and digits.isdigit()):
        return False
    generator = pyotp.TOTP(row.secret)
    now = int(time.time()) // INTERVAL_SECONDS
    for interval in range(now - DRIFT, now + DRIFT + 1):
        if secrets.compare_digest(generator.generate_otp(interval), digits):
            taken = Authenticator.objects.filter(pk=row.pk, last_interval__lt=interval)
            return taken.update(last_interval=interval) == 1
    return False


def _take_recovery_code(user: User, code: str) -> bool:
    plain = "".join(code.upper().replace("-", "").split())
    used, _ = RecoveryCode.objects.filter(user=user, code_hash=token_hash(plain)).delete()
    return used == 1


def _draw_recovery_codes(user: User) -> list[str]:
    RecoveryCode.objects.filter(user=user).delete()
    drawn = ["".join(secrets.choice(ALPHABET) for _ in range(10)) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=token_hash(code)) for code in drawn
    )
    return [f"{code[:5]}-{code[5:]}" for code in drawn]
