"""Verifies, pauses and disconnects connections (rules/connections §4)."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.connections import events
from apps.connections.models import (
    Connection,
    ConnectionStatus,
    MarketingWay,
    OperatorAccount,
    ProviderKind,
)
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import AccountState, InboundAccount, InboundFigures
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.services.alerts import PAYMENT_ALERT, follow_alert
from apps.connections.services.direct_send import note_restrictions
from apps.connections.services.figures import apply_figures
from apps.connections.services.marketing import note_way
from apps.connections.services.provision import is_metas_own, official_provider_for, token_of
from apps.connections.services.qr_sessions import end_qr_session, renew_qr_code, start_qr_session

REASON_LENGTH = 500
# A person waits in a dialog meanwhile.
VERIFY_SECONDS = 8.0
# The pauses while a provider limits a number without naming a time. A limit so soon after a pause
# means that it goes on.
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 5, 60
PAUSED_ANEW_WITHIN = timedelta(seconds=60)
# Meta answers every id with the number or an error. A stand-in at GRAPH_API_URL may accept messages
# and not support reads of numbers; only there this is no refusal.
NOTHING_TO_SAY = frozenset({"http_404", "http_405", "http_501"})


# Reasons for which an account's numbers go down, and those that are only warnings.
TAKEN_DOWN = (ReasonCode.ACCOUNT_LOCKED, ReasonCode.ACCOUNT_DELETED, ReasonCode.ACCESS_REMOVED)
WARNINGS = (ReasonCode.ACCOUNT_RESTRICTED, ReasonCode.ACCOUNT_LOCK_AHEAD)


class QrCodeNotUsed(DomainError):
    """An official number has no QR code."""

    code = "ERR_WAPP_NO_QRCODE"
    message = "Esta conexão usa a API oficial e não tem QR Code. Edite o token para reconectar."


def _set_status(
    connection: Connection, status: str, sentence: str, reason: Reason, **more: Any
) -> Connection:
    """Set the status, unless the connection got other credentials or was deleted meanwhile."""
    with transaction.atomic():
        # The provider was asked outside a transaction; its answer is valid for these credentials
        # only.
        rows = Connection.objects.filter(
            pk=connection.pk,
            phone_number_id=connection.phone_number_id,
            waba_id=connection.waba_id,
        ).update(
            status=status,
            status_reason=sentence[:REASON_LENGTH],
            reason_code=reason.code,
            reason_detail=reason.detail,
            updated_at=timezone.now(),
            **more,
        )
        if rows:
            connection.refresh_from_db()
            events.connection_updated(connection)
            events.session_updated(connection)
    return connection


def verify_connection(connection: Connection) -> Connection:
    """Ask Meta for the number and its account: set CONNECTED, or DISCONNECTED with the reason in
    words.

    A connected number belongs to this connection alone in the installation. Waits for the network:
    never call it inside a transaction. A temporary error of the provider leaves a connected number
    unchanged; any other is set to OPENING and retried by `verify_opening`.
    """
    try:
        provider = official_provider_for(connection, read_seconds=VERIFY_SECONDS)
        number = provider.phone_number()
        is_own = _is_shown(provider, number, connection)
    except ProviderError as error:
        if has_nothing_to_say(error):
            return _take_number(connection)
        is_refused = error.permanent or error.needs_reconnect
        if connection.status == ConnectionStatus.CONNECTED and not is_refused:
            return connection
        status = ConnectionStatus.DISCONNECTED if is_refused else ConnectionStatus.OPENING
        return _set_status(connection, status, error.message, error.reason)
    if not number and not is_own:
        reason = Reason(ReasonCode.NUMBER_UNKNOWN)
        sentence = "A Meta não encontrou este número. Confira a identificação na conexão."
        return _set_status(connection, ConnectionStatus.DISCONNECTED, sentence, reason)
    if not is_own:
        reason = Reason(ReasonCode.NUMBER_ELSEWHERE)
        sentence = "Este número não é da conta informada. Confira as duas identificações."
        return _set_status(
            connection, ConnectionStatus.DISCONNECTED, sentence, reason, verified_at=None
        )
    return _take_number(connection, **({"number": number} if number else {}))


def _is_shown(provider: OfficialProvider, number: str, connection: Connection) -> bool:
    """Tell whether an answer proves that the number is in the account; a stand-in may not list
    it.
    """
    return provider.is_of_account(connection.waba_id) if number else not is_metas_own()


def has_nothing_to_say(error: ProviderError) -> bool:
    """Tell whether a stand-in does not support reads of numbers."""
    return error.code in NOTHING_TO_SAY and not is_metas_own()


def _take_number(connection: Connection, **more: Any) -> Connection:
    """Connect the number, and take it from a connection of another company whose token no longer
    shows it.
    """
    holder = Connection.objects.filter(
        phone_number_id=connection.phone_number_id, verified_at__isnull=False
    ).exclude(pk=connection.pk)
    reason = Reason(ReasonCode.NUMBER_TAKEN)
    sentence = "Este número já está conectado. Desconecte-o lá antes, ou confira a identificação."
    for other in holder:
        if not still_shows(other):
            _set_status(other, ConnectionStatus.DISCONNECTED, sentence, reason, verified_at=None)
    try:
        with transaction.atomic():
            return _set_status(
                connection,
                ConnectionStatus.CONNECTED,
                "",
                NO_REASON,
                verified_at=timezone.now(),
                **more,
            )
    except IntegrityError:
        return _set_status(connection, ConnectionStatus.DISCONNECTED, sentence, reason)


def still_shows(connection: Connection) -> bool:
    """Tell whether a connection's token shows its number; yes after a temporary error."""
    try:
        provider = official_provider_for(connection, read_seconds=VERIFY_SECONDS)
        return _is_shown(provider, provider.phone_number(), connection)
    except ProviderError as error:
        is_refused = error.permanent or error.needs_reconnect
        return has_nothing_to_say(error) or not is_refused


def verify_opening() -> None:
    """Retry the verification of official numbers after temporary errors."""
    opening = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL, status=ConnectionStatus.OPENING
    )
    for connection in opening:
        verify_connection(connection)


def session_outcome(connection: Connection) -> tuple[str, Reason]:
    """Return the result of a start in Portuguese, and the reason code of a failure."""
    if connection.provider == ProviderKind.BETA:
        return "Conexão iniciada.", NO_REASON
    if connection.status == ConnectionStatus.CONNECTED:
        return "Conexão verificada: conectada.", NO_REASON
    reason = Reason(connection.reason_code, connection.reason_detail)
    return f"A conexão não foi iniciada: {connection.status_reason}", reason


def start_session(*, connection: Connection, number: str = "") -> Connection:
    """Start a connection again; raises SessionUnavailable without a gateway.

    `number`: the phone to pair by code instead of QR code.
    """
    if connection.provider == ProviderKind.OFFICIAL:
        return verify_connection(connection)
    start_qr_session(connection, number=number)
    return connection


def renew_qrcode(*, connection: Connection, number: str = "") -> None:
    """Request another QR code; raises QrCodeNotUsed for an official number."""
    if connection.provider == ProviderKind.OFFICIAL:
        raise QrCodeNotUsed
    renew_qr_code(connection, number=number)


def disconnect(*, actor: User, connection: Connection, ip_address: str | None = None) -> Connection:
    """Disconnect a connection by hand: its sends wait until it is started again.

    A QR session is logged out. Waits for its gateway: never call it in a transaction.
    """
    if connection.provider == ProviderKind.BETA:
        end_qr_session(connection)
    with transaction.atomic():
        record(
            action="connection.disconnected",
            actor=actor,
            company_id=connection.company_id,
            target=connection,
            ip_address=ip_address,
        )
        reason = Reason(ReasonCode.DISCONNECTED, actor.name)
        sentence = f"Desconectada por {actor.name}."
        return _set_status(
            connection,
            ConnectionStatus.DISCONNECTED,
            sentence,
            reason,
            qrcode="",
            pairing_code="",
        )


def pause_sends(
    connection: Connection, until: datetime | None, sentence: str, reason: Reason = NO_REASON
) -> Connection:
    """Pause all sends of a connection until a time, with the reason in words and as a code.

    An existing longer pause stays. Without a time the pause is short, and longer each time that the
    provider limits the number again soon after the last one; answers to what was under way when a
    pause began make it no longer (rules/messages §3).
    """
    with transaction.atomic():
        locked = Connection.objects.select_for_update(no_key=True).filter(pk=connection.pk).first()
        if locked is None:
            return connection
        if until is None:
            until = _next_pause(locked)
        if locked.sends_paused_until is None or locked.sends_paused_until < until:
            locked.sends_paused_until = until
            locked.status_reason = sentence[:REASON_LENGTH]
            locked.reason_code, locked.reason_detail = reason.code, reason.detail
            pause = ("sends_paused_until", "sends_paused_seconds")
            fields = ("status_reason", "reason_code", "reason_detail")
            locked.save(update_fields=[*pause, *fields, "updated_at"])
            events.connection_updated(locked)
    if reason.code == ReasonCode.PAYMENT:
        follow_alert(connection.pk, PAYMENT_ALERT)
    connection.sends_paused_until = locked.sends_paused_until
    connection.status_reason = locked.status_reason
    connection.reason_code = locked.reason_code
    connection.reason_detail = locked.reason_detail
    return connection


def _next_pause(connection: Connection) -> datetime:
    """Return the end of the next pause of a locked connection, and keep its length."""
    now, last = timezone.now(), connection.sends_paused_until
    if last is not None and last > now:
        return last
    goes_on = last is not None and now - last < PAUSED_ANEW_WITHIN
    longer = 2 * connection.sends_paused_seconds if goes_on else 0
    seconds = min(LONGEST_PAUSE_SECONDS, max(FIRST_PAUSE_SECONDS, longer))
    connection.sends_paused_seconds = seconds
    return now + timedelta(seconds=seconds)


def mark_reconnect_needed(
    connection: Connection, sentence: str, reason: Reason = NO_REASON
) -> Connection:
    """Disconnect a connection because its provider refuses the credentials."""
    with transaction.atomic():
        # Every waiting message gets the refusal; one event is sent.
        works = Connection.objects.exclude(status=ConnectionStatus.DISCONNECTED)
        if works.select_for_update(no_key=True).filter(pk=connection.pk).exists():
            record(
                action="connection.credentials_refused",
                actor=None,
                company_id=connection.company_id,
                target=connection,
                detail={"reason": reason.code},
            )
        return _set_status(connection, ConnectionStatus.DISCONNECTED, sentence, reason)


def withdraw_account(
    *, actor: User, account: OperatorAccount, ip_address: str | None = None
) -> None:
    """Withdraw the operator's token from a company; the numbers that used it are disconnected.

    They are not verified any more, so they receive no events and reserve no number.
    """
    with transaction.atomic():
        record(
            action="connection.account_withdrawn",
            actor=actor,
            company_id=account.company_id,
            detail={"waba_id": account.waba_id},
            ip_address=ip_address,
        )
        account.delete()
        numbers = Connection.objects.for_company(account.company_id).filter(
            provider=ProviderKind.OFFICIAL, waba_id=account.waba_id
        )
        for number in numbers:
            if not token_of(number):
                sentence = "Informe o token de acesso da Meta na conexão."
                reason = Reason(ReasonCode.TOKEN_MISSING)
                _set_status(
                    number, ConnectionStatus.DISCONNECTED, sentence, reason, verified_at=None
                )


def apply_account_change(connection: Connection, change: InboundAccount) -> None:
    """Apply a report about an account to all of its numbers.

    If the account is lost, they are disconnected with the reason; if it is restricted, they stay
    connected and the alerts are stored; if it is restored, those that were disconnected by it are
    verified again (`verify_opening`) and the alerts are removed. Numbers that were verified since,
    or are down for another reason, keep their state. Signed terms of marketing messages change
    only the way of marketing templates.
    """
    if change.state == AccountState.MARKETING_TERMS:
        note_way(connection, MarketingWay.MARKETING_MESSAGES)
        return
    if change.alerts:
        apply_figures(connection, InboundFigures(alerts=change.alerts, at=change.at))
        note_restrictions(connection, change.alerts, change.at)
    numbers = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL, waba_id=connection.waba_id, verified_at__isnull=False
    )
    if change.at:
        numbers = numbers.filter(verified_at__lt=change.at)
    if change.state == AccountState.BACK:
        numbers = numbers.filter(reason_code__in=(*TAKEN_DOWN, *WARNINGS))
    else:
        numbers = numbers.exclude(status=ConnectionStatus.DISCONNECTED)
    for number in numbers:
        if change.state == AccountState.LOST:
            status: str = ConnectionStatus.DISCONNECTED
        elif number.reason_code in TAKEN_DOWN:
            status = ConnectionStatus.OPENING
        else:
            status = number.status
        _set_status(number, status, change.sentence, change.reason)
        record(
            action="connection.account_changed",
            actor=None,
            company_id=number.company_id,
            target=number,
            detail={"state": change.state, "reason": change.reason.code},
        )
