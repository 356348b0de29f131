"""Adds a number with Meta's embedded signup (rules/connections §12).

The code of Meta's window works once. The exchanged token is stored with the code, so that a retry
with the same code continues where it stopped.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_room
from apps.common.content_policy import is_signup_offered
from apps.common.errors import DomainError, InvalidInput
from apps.common.reasons import Reason, ReasonCode
from apps.common.registry import Hook
from apps.connections.models import Connection, ProviderKind, Signup, SignupStep
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.providers.official.signup import AccountNumber, exchange_code
from apps.connections.services.provision import META_DOMAIN
from apps.connections.services.saving import (
    META_ID,
    ConnectionValues,
    create_connection,
    update_connection,
)
from apps.connections.services.sessions import VERIFY_SECONDS, still_shows

Answer = TypeVar("Answer")

PIN = re.compile(r"[0-9]{6}")
# Messages per second: of a number that stays in a phone's app, and of any other.
COEXISTENCE_PER_SECOND, SENDS_PER_SECOND = 20, 80
# Longer than all calls of one signup.
BUSY = timedelta(minutes=3)
KEPT = timedelta(days=1)
NAME_LENGTH = 50

# Called in the transaction that keeps a number that stays on its phone's app: what the phone has
# may be asked for from now on, for 24 hours. What is registered asks nobody itself.
signed_up: Hook[[Connection]] = Hook()


class SignupNotOffered(DomainError):
    """The operator has not set up embedded signup."""

    status = 409
    code = "ERR_SIGNUP_NOT_OFFERED"
    message = "O cadastro pelo Facebook não está disponível neste servidor."


class SignupRunning(DomainError):
    """The same code is being worked on by an earlier call."""

    status = 409
    code = "ERR_SIGNUP_RUNNING"
    message = "Este cadastro já está em andamento. Aguarde um instante."


class SignupFailed(DomainError):
    """A step failed; those before it are done.

    `step` names it; with `canRetry` the same code may be sent again, else Meta's window is opened
    anew.
    """

    status = 424
    code = "ERR_SIGNUP_FAILED"
    message = "A Meta não concluiu o cadastro."

    def __init__(self, step: str, sentence: str, reason: Reason, *, can_retry: bool) -> None:
        super().__init__(
            sentence, extra={**reason.on_wire(), "step": str(step), "canRetry": can_retry}
        )


@dataclass(frozen=True)
class SignupOffer:
    """The parameters of Meta's window; empty if signup is not offered.

    `origins` are the origins of the window's messages.
    """

    is_offered: bool
    app_id: str = ""
    config_id: str = ""
    version: str = ""
    sdk_url: str = ""
    origins: tuple[str, ...] = ()


@dataclass(frozen=True)
class SignupValues:
    """The result of Meta's window.

    `phone_number_id` may be empty, because Meta does not always name a number that stays on its
    phone. `pin` is that of the number's two-step verification; an empty one is generated.
    """

    code: str
    waba_id: str
    phone_number_id: str = ""
    is_coexistence: bool = False
    pin: str = ""


@dataclass(frozen=True)
class SignedUp:
    """The added number, and its generated PIN, which a person should keep."""

    connection: Connection
    pin: str


def signup_offer() -> SignupOffer:
    """Return whether embedded signup is offered, and the parameters of its window."""
    if not is_signup_offered():
        return SignupOffer(is_offered=False)
    return SignupOffer(
        is_offered=True,
        app_id=settings.META_APP_ID,
        config_id=settings.META_CONFIG_ID,
        version=settings.GRAPH_API_VERSION,
        sdk_url=settings.FACEBOOK_SDK_URL,
        origins=window_origins(),
    )


def window_origins() -> tuple[str, ...]:
    """Return the allowed origins of the window's messages; Meta uses more than one host."""
    address = urlsplit(settings.FACEBOOK_URL)
    own = f"{address.scheme}://{address.netloc}"
    if (address.hostname or "").endswith(f".{META_DOMAIN}"):
        others = (f"https://{name}.{META_DOMAIN}" for name in ("www", "web", "business"))
        return tuple(dict.fromkeys((own, *others)))
    return (own,)


def sign_up(*, actor: User, values: SignupValues, ip_address: str | None = None) -> SignedUp:
    """Connect the number of Meta's window, or reconnect it if the company has it.

    A retry with the same code continues where it stopped and returns the existing connection.
    Raises InvalidInput, SignupNotOffered, SignupRunning, PlanLimitReached and SignupFailed. Waits
    for Meta: never call it inside a transaction.
    """
    if not signup_offer().is_offered:
        raise SignupNotOffered
    _check(values)
    signup = _begin(actor.company_id, values.code)
    try:
        if signup.connection is None:
            return _carry_on(signup, actor, values, ip_address)
        return SignedUp(signup.connection, signup.pin)
    finally:
        Signup.objects.filter(pk=signup.pk).update(busy_until=None)


def forget_signups(*, now: datetime) -> None:
    """Delete codes that are older than a day, with what they were exchanged for."""
    Signup.objects.filter(created_at__lt=now - KEPT).delete()


def _check(values: SignupValues) -> None:
    sentence = "Informe o número de identificação: ao menos 15 dígitos."
    ids = {"waba_id": values.waba_id}
    if values.phone_number_id:
        ids["phone_number_id"] = values.phone_number_id
    wrong = [key for key, value in ids.items() if not META_ID.fullmatch(value)]
    if wrong:
        raise InvalidInput(sentence, fields={key: [sentence] for key in wrong}, rule="meta_id")
    if values.pin and not PIN.fullmatch(values.pin):
        sentence = "O PIN tem seis dígitos."
        raise InvalidInput(sentence, fields={"pin": [sentence]}, rule="pin")


def _begin(company_id: int, code: str) -> Signup:
    """Return the row of a code, reserved for this call; raises SignupRunning."""
    now = timezone.now()
    digest = hashlib.sha256(code.encode()).hexdigest()
    signup, _ = Signup.objects.get_or_create(company_id=company_id, code_hash=digest)
    free = Signup.objects.filter(Q(busy_until=None) | Q(busy_until__lt=now), pk=signup.pk)
    if not free.update(busy_until=now + BUSY):
        raise SignupRunning
    # An earlier call may have progressed since the row was read.
    return Signup.objects.select_related("connection").get(pk=signup.pk)


def _carry_on(
    signup: Signup, actor: User, values: SignupValues, ip_address: str | None
) -> SignedUp:
    company_id: int = actor.company_id
    if values.phone_number_id:
        _require_room(company_id, values.phone_number_id)
    if not signup.access_token:
        signup.access_token = _at(SignupStep.CODE, lambda: _exchange(values.code))
        signup.save(update_fields=["access_token"])
    number = _at(SignupStep.NUMBER, lambda: _find_number(signup.access_token, values))
    _require_room(company_id, number.id)
    _refuse_taken(company_id, number.id)
    provider = _provider(signup.access_token, number.id)
    _at(SignupStep.SUBSCRIPTION, lambda: provider.subscribe(values.waba_id))
    # A number in a phone's app is registered: registering it again would disconnect the phone.
    is_coexistence = values.is_coexistence or number.is_on_app
    if not is_coexistence and not number.is_registered:
        pin = values.pin or _made_pin(signup)
        try:
            _at(SignupStep.REGISTRATION, lambda: provider.register(pin))
        except SignupFailed as failed:
            # The number has another PIN. After any other error the PIN may have been set.
            if failed.extra["reasonCode"] == ReasonCode.PIN_WRONG:
                _forget_pin(signup)
            raise
        if values.pin:
            _forget_pin(signup)
    connection = _keep(
        signup,
        actor,
        number,
        waba_id=values.waba_id,
        is_coexistence=is_coexistence,
        ip_address=ip_address,
    )
    return SignedUp(connection, signup.pin)


def _at(step: SignupStep, call: Callable[[], Answer]) -> Answer:
    """Make a call to Meta; raises SignupFailed with its step."""
    try:
        return call()
    except ProviderError as error:
        is_final = step == SignupStep.CODE and error.permanent
        raise SignupFailed(
            step, error.message, error.reason, can_retry=not is_final and not error.needs_reconnect
        ) from error


def _exchange(code: str) -> str:
    client = GraphClient(
        access_token="",
        base_url=settings.GRAPH_API_URL,
        version=settings.GRAPH_API_VERSION,
        read_seconds=VERIFY_SECONDS,
    )
    return exchange_code(
        client, app_id=settings.META_APP_ID, app_secret=settings.META_APP_SECRET, code=code
    )


def _provider(token: str, phone_number_id: str) -> OfficialProvider:
    return OfficialProvider(
        phone_number_id=phone_number_id,
        access_token=token,
        base_url=settings.GRAPH_API_URL,
        version=settings.GRAPH_API_VERSION,
        read_seconds=VERIFY_SECONDS,
    )


def _find_number(token: str, values: SignupValues) -> AccountNumber:
    """Return the number from the account's list; the only one if none is named."""
    rows = _provider(token, "").account_numbers(values.waba_id)
    named = values.phone_number_id
    if named:
        found = [row for row in rows if row.id == named]
    else:
        found = [row for row in rows if row.is_on_app] if values.is_coexistence else []
        found = found or rows
    if len(found) == 1:
        return found[0]
    if named:
        raise ProviderError(
            "Este número não é da conta informada. Confira as duas identificações.",
            reason=ReasonCode.NUMBER_ELSEWHERE,
            needs_reconnect=True,
        )
    raise ProviderError(
        "A Meta não disse qual número conectar. Abra a janela da Meta de novo e escolha um número.",
        reason=ReasonCode.NUMBER_NOT_CHOSEN,
        needs_reconnect=True,
    )


def _require_room(company_id: int, phone_number_id: str) -> None:
    """Raise PlanLimitReached for a new number where the plan has no room, before Meta is told."""
    own = Connection.objects.for_company(company_id)
    if not own.filter(phone_number_id=phone_number_id).exists():
        with transaction.atomic():
            require_room(company_id=company_id, resource="connections", rows=own)


def _refuse_taken(company_id: int, phone_number_id: str) -> None:
    """Raise SignupFailed for a number that another company's token still shows."""
    holders = Connection.objects.filter(
        phone_number_id=phone_number_id, verified_at__isnull=False
    ).exclude(company_id=company_id)
    if any(still_shows(holder) for holder in holders):
        raise SignupFailed(
            SignupStep.NUMBER,
            "Este número já está conectado. Desconecte-o lá antes, ou confira a identificação.",
            Reason(ReasonCode.NUMBER_TAKEN),
            can_retry=True,
        )


def _made_pin(signup: Signup) -> str:
    """Return the PIN of this signup; it is stored before it is sent, since a call with a lost
    answer may have set it.
    """
    if not signup.pin:
        signup.pin = f"{secrets.randbelow(1_000_000):06}"
        signup.save(update_fields=["pin"])
    return signup.pin


def _forget_pin(signup: Signup) -> None:
    signup.pin = ""
    signup.save(update_fields=["pin"])


def _keep(
    signup: Signup,
    actor: User,
    number: AccountNumber,
    *,
    waba_id: str,
    is_coexistence: bool,
    ip_address: str | None,
) -> Connection:
    """Create the connection, or give the existing one its new token; then verify it."""
    own = Connection.objects.for_company(actor.company_id)
    known = own.filter(provider=ProviderKind.OFFICIAL, phone_number_id=number.id).first()
    values: ConnectionValues = {
        "phone_number_id": number.id,
        "waba_id": waba_id,
        "access_token": signup.access_token,
        "is_coexistence": is_coexistence,
        "signed_up_at": timezone.now(),
    }
    if is_coexistence:
        values["sends_per_second"] = COEXISTENCE_PER_SECOND
    elif known is not None and known.is_coexistence:
        values["sends_per_second"] = SENDS_PER_SECOND
    told: dict[str, Any] = {"actor": actor, "ip_address": ip_address}
    if known is not None:
        connection = update_connection(connection=known, values=values, **told)
    else:
        values["provider"] = ProviderKind.OFFICIAL
        values["name"] = _free_name(actor.company_id, number)
        connection = create_connection(values=values, **told)
    with transaction.atomic():
        record(
            action="connection.signed_up",
            actor=actor,
            company_id=actor.company_id,
            target=connection,
            detail={"waba_id": waba_id, "coexistence": is_coexistence},
            ip_address=ip_address,
        )
        signup.connection, signup.access_token = connection, ""
        signup.save(update_fields=["connection", "access_token"])
        if is_coexistence:
            signed_up(connection)
    return connection


def _free_name(company_id: int, number: AccountNumber) -> str:
    """Return the number's name at Meta, else the number, with a count if the name is taken."""
    wanted = (number.name.strip() or number.number.strip() or "WhatsApp")[:NAME_LENGTH]
    wanted = wanted if len(wanted) > 1 else f"WhatsApp {wanted}"
    taken = set(Connection.objects.for_company(company_id).values_list("name", flat=True))
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted[: NAME_LENGTH - len(str(count)) - 1]} {count}"
    return name
