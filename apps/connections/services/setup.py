"""Checks a number's set-up one step at a time, before or after it is saved."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.encryption import is_unchanged
from apps.common.errors import InvalidInput
from apps.companies.models import SUPER_COMPANY_ID
from apps.connections.models import Connection, SetupProblem, SetupState, SetupStep
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.errors import TOKEN_REFUSED
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.services.provision import official_provider_for, token_of
from apps.connections.services.saving import META_ID, connection_for
from apps.connections.services.sessions import NOTHING_TO_SAY, VERIFY_SECONDS, has_nothing_to_say

WEBHOOK_PATH = "/webhooks/whatsapp"
# Meta's codes for an id that is unknown or not visible to this token.
UNKNOWN_OBJECT = frozenset({"33", "100"})
# Steps that show something of the number itself.
OF_A_NUMBER = frozenset({SetupStep.NUMBER, SetupStep.WEBHOOK})
NO_PERMISSION = frozenset({"3", "10", "200", "131005", "http_403"})


@dataclass(frozen=True)
class SetupCheck:
    """The result of one step.

    `detail` is Meta's text, or the missing permissions; `number` and `name` are the number's, as
    Meta shows them.
    """

    step: str
    state: str = SetupState.DONE
    problem: str = ""
    detail: str = ""
    number: str = ""
    name: str = ""


@dataclass(frozen=True)
class SetupValues:
    """The values of the form; an empty token stands for the one of the stored row
    `connection_id`.
    """

    connection_id: int | None = None
    phone_number_id: str = ""
    waba_id: str = ""
    access_token: str = ""


@dataclass(frozen=True)
class _Draft:
    """The connection as it would be, not saved, and the stored one that it changes."""

    connection: Connection
    stored: Connection | None
    provider: OfficialProvider


def webhook_address() -> str:
    """Return the address that Meta is to post to."""
    return f"{settings.PUBLIC_URL}{WEBHOOK_PATH}"


def check_setup(
    *,
    actor: User,
    step: str,
    values: SetupValues,
    subscribes: bool = False,
    ip_address: str | None = None,
) -> SetupCheck:
    """Check one step of a number's set-up; nothing is saved.

    `subscribes` first subscribes the token's app to the account. Raises ConnectionNotFound, and
    InvalidInput for an id that the step needs. Never call it inside a transaction.
    """
    connection, stored = _draft(actor.company_id, values)
    _require_ids(step, connection)
    if not token_of(connection):
        return _failed(step, SetupProblem.TOKEN_MISSING)
    provider = official_provider_for(connection, read_seconds=VERIFY_SECONDS)
    draft = _Draft(connection, stored, provider)
    try:
        if subscribes and step == SetupStep.SUBSCRIPTION:
            _subscribe(draft, actor, ip_address)
        if step in OF_A_NUMBER and not _may_ask_for_number(draft):
            return _failed(step, SetupProblem.NUMBER_ELSEWHERE)
        return CHECKS[step](draft)
    except ProviderError as error:
        return _from_error(step, error)


def _may_ask_for_number(draft: _Draft) -> bool:
    """Tell whether the operator's token may read the number: it serves assigned accounts only."""
    connection = draft.connection
    if connection.access_token or connection.company_id == SUPER_COMPANY_ID:
        return True
    try:
        return draft.provider.is_of_account(connection.waba_id)
    except ProviderError as error:
        if has_nothing_to_say(error):
            return True
        raise


def _draft(company_id: int, values: SetupValues) -> tuple[Connection, Connection | None]:
    """Return the connection of the form, not saved, and the stored one that it changes."""
    stored = (
        connection_for(company_id=company_id, pk=values.connection_id)
        if values.connection_id is not None
        else None
    )
    token = values.access_token.strip()
    if is_unchanged(token):
        token = stored.access_token if stored else ""
    connection = Connection(
        company_id=company_id,
        phone_number_id=values.phone_number_id.strip(),
        waba_id=values.waba_id.strip(),
        access_token=token,
    )
    return connection, stored


def _require_ids(step: str, connection: Connection) -> None:
    wanted = {
        SetupStep.NUMBER: ("phone_number_id",),
        SetupStep.ACCOUNT: ("phone_number_id", "waba_id"),
        SetupStep.SUBSCRIPTION: ("waba_id",),
        SetupStep.WEBHOOK: ("phone_number_id",),
    }
    sentence = "Informe o número de identificação: ao menos 15 dígitos."
    wrong = [
        key
        for key in wanted.get(SetupStep(step), ())
        if not META_ID.fullmatch(getattr(connection, key))
    ]
    if wrong:
        raise InvalidInput(sentence, fields={key: [sentence] for key in wrong}, rule="meta_id")


def _failed(step: str, problem: str, detail: str = "") -> SetupCheck:
    return SetupCheck(step, SetupState.FAILED, problem, detail)


def _from_error(step: str, error: ProviderError) -> SetupCheck:
    if error.code in NOTHING_TO_SAY:
        return SetupCheck(step, SetupState.UNKNOWN, SetupProblem.NOT_TOLD)
    if error.message == TOKEN_REFUSED or (error.needs_reconnect and not error.code):
        return _failed(step, SetupProblem.TOKEN_REFUSED)
    if error.code in UNKNOWN_OBJECT:
        is_number = step in (SetupStep.NUMBER, SetupStep.WEBHOOK)
        problem = SetupProblem.NUMBER_NOT_FOUND if is_number else SetupProblem.ACCOUNT_NOT_FOUND
        return _failed(step, problem)
    if error.code in NO_PERMISSION:
        return _failed(step, SetupProblem.NO_PERMISSION)
    is_passing = not error.permanent and not error.needs_reconnect
    problem = SetupProblem.UNREACHABLE if is_passing else SetupProblem.REFUSED
    return _failed(step, problem, error.message)


def _check_token(draft: _Draft) -> SetupCheck:
    try:
        missing = draft.provider.missing_permissions()
    except ProviderError as error:
        refusal = _from_error(SetupStep.TOKEN, error)
        if refusal.problem in (SetupProblem.TOKEN_REFUSED, SetupProblem.UNREACHABLE):
            return refusal
        # Tokens without a list of permissions are judged by the calls that succeed.
        return SetupCheck(SetupStep.TOKEN)
    if missing:
        return _failed(SetupStep.TOKEN, SetupProblem.PERMISSION_MISSING, ", ".join(missing))
    return SetupCheck(SetupStep.TOKEN)


def _check_number(draft: _Draft) -> SetupCheck:
    taken = Connection.objects.filter(
        Q(company_id=draft.connection.company_id) | Q(verified_at__isnull=False),
        phone_number_id=draft.connection.phone_number_id,
    )
    if draft.stored is not None:
        taken = taken.exclude(pk=draft.stored.pk)
    if taken.exists():
        return _failed(SetupStep.NUMBER, SetupProblem.NUMBER_TAKEN)
    card = draft.provider.number_card()
    return SetupCheck(SetupStep.NUMBER, number=card.number[:50], name=card.name[:100])


def _check_account(draft: _Draft) -> SetupCheck:
    if draft.provider.is_of_account(draft.connection.waba_id):
        return SetupCheck(SetupStep.ACCOUNT)
    return _failed(SetupStep.ACCOUNT, SetupProblem.NUMBER_ELSEWHERE)


def _check_subscription(draft: _Draft) -> SetupCheck:
    if draft.provider.is_subscribed(draft.connection.waba_id):
        return SetupCheck(SetupStep.SUBSCRIPTION)
    return _failed(SetupStep.SUBSCRIPTION, SetupProblem.NOT_SUBSCRIBED)


def _subscribe(draft: _Draft, actor: User, ip_address: str | None) -> None:
    draft.provider.subscribe(draft.connection.waba_id)
    with transaction.atomic():
        record(
            action="connection.subscribed",
            actor=actor,
            company_id=actor.company_id,
            target=draft.stored,
            detail={"waba_id": draft.connection.waba_id},
            ip_address=ip_address,
        )


def _check_webhook(draft: _Draft) -> SetupCheck:
    if not settings.META_APP_SECRET:
        return _failed(SetupStep.WEBHOOK, SetupProblem.SECRET_MISSING)
    found = draft.provider.webhook_address()
    if found is None:
        return SetupCheck(SetupStep.WEBHOOK, SetupState.UNKNOWN, SetupProblem.NOT_TOLD)
    if not found:
        return _failed(SetupStep.WEBHOOK, SetupProblem.WEBHOOK_NONE)
    if found.rstrip("/") != webhook_address():
        return _failed(SetupStep.WEBHOOK, SetupProblem.WEBHOOK_ELSEWHERE)
    return SetupCheck(SetupStep.WEBHOOK)


def _check_event(draft: _Draft) -> SetupCheck:
    stored = draft.stored
    if stored is None or stored.phone_number_id != draft.connection.phone_number_id:
        return SetupCheck(SetupStep.EVENT, SetupState.WAITING, SetupProblem.NOT_SAVED)
    # The last report about the number; the app that stores reports is above this one.
    has_heard = Connection.objects.filter(pk=stored.pk, inbound_events__isnull=False).exists()
    if has_heard:
        return SetupCheck(SetupStep.EVENT)
    return SetupCheck(SetupStep.EVENT, SetupState.WAITING, SetupProblem.NO_EVENT)


CHECKS: dict[str, Callable[[_Draft], SetupCheck]] = {
    SetupStep.TOKEN: _check_token,
    SetupStep.NUMBER: _check_number,
    SetupStep.ACCOUNT: _check_account,
    SetupStep.SUBSCRIPTION: _check_subscription,
    SetupStep.WEBHOOK: _check_webhook,
    SetupStep.EVENT: _check_event,
}
