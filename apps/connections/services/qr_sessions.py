"""The life of a QR session: requests of people and reports of its gateway."""

import logging
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from apps.common.errors import DomainError
from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.common.wakeups import wake
from apps.connections import events
from apps.connections.models import Connection, ConnectionStatus, QrSession, SessionWish
from apps.connections.providers.base import ProviderError
from apps.connections.providers.beta.client import GatewayClient, wake_gateway
from apps.connections.services.qr_leases import (
    database_now,
    end_lease,
    gateways_seen,
    revoke_lease,
    take_beat,
)
from apps.connections.services.qr_owners import client_of
from apps.connections.services.qr_state import forget_state, part_from

logger = logging.getLogger(__name__)


class SessionUnavailable(DomainError):
    """No gateway is running."""

    code = "ERR_WAPP_NOT_INITIALIZED"
    message = (
        "O programa que mantém as conexões por QR Code (gateway) não está no ar. Peça a quem opera"
        " a instalação que o inicie."
    )


class SessionBusy(DomainError):
    """The gateway did not carry out the command."""

    status = 409
    code = "ERR_WAPP_SESSION_BUSY"
    message = "O gateway não respondeu. Aguarde meio minuto e tente de novo."


# The gateway's reasons: our code and the sentence.
REASONS: dict[str, tuple[ReasonCode, str]] = {
    "replaced": (
        ReasonCode.SESSION_REPLACED,
        "Este número foi aberto em outro WhatsApp Web. Tente de novo para usá-lo aqui.",
    ),
    "logged_out": (
        ReasonCode.SESSION_LOGGED_OUT,
        "O telefone desconectou este aparelho. Leia um novo QR Code.",
    ),
    "qr_expired": (
        ReasonCode.QR_EXPIRED,
        "Ninguém leu o QR Code a tempo. Desconecte e peça um novo.",
    ),
    "connection_lost": (
        ReasonCode.CONNECTION_LOST,
        "A conexão com o WhatsApp caiu. Tentando de novo.",
    ),
    "unavailable": (
        ReasonCode.PROVIDER_DOWN,
        "O WhatsApp está fora do ar. Tentando de novo.",
    ),
    "not_stored": (
        ReasonCode.SESSION_NOT_STORED,
        "O Balcão falha ao guardar o que chega por esta conexão. Nada se perdeu: ela continua"
        " sozinha assim que isso for corrigido. Avise quem opera a instalação.",
    ),
    "refused": (
        ReasonCode.SESSION_REFUSED,
        "O WhatsApp recusou a conexão. Leia um novo QR Code.",
    ),
}
# A gateway owns the session.
OWNED = frozenset({ConnectionStatus.CONNECTED, ConnectionStatus.QRCODE, ConnectionStatus.PAIRING})
ENDED = frozenset({ConnectionStatus.DISCONNECTED, ConnectionStatus.TIMEOUT})
# A person waits for the answer meanwhile.
RESTART_SECONDS = 8.0
GATEWAY_GONE = "O gateway que mantinha esta conexão parou. Outro assume em instantes."


def start_qr_session(connection: Connection, *, number: str = "") -> None:
    """Make a gateway start a session; raises SessionUnavailable without a gateway.

    With stored credentials it reconnects, else it shows a QR code, or a pairing code for the phone
    of `number`. The owner of a running session starts it again; from an owner that does not answer
    the session is revoked, and it moves when the lease is over. Waits for the owner: call it in a
    transaction only for a session without one.
    """
    _require_gateway()
    unanswered = _unanswered_epoch(connection, number)
    with transaction.atomic():
        session = _locked(connection)
        if session.wanted == SessionWish.LOGOUT:
            _sever(session)
        elif session.epoch == unanswered and not _is_free(session):
            revoke_lease(session)
            _show_gateway_gone(connection)
        session.wanted, session.link_number = SessionWish.RUN, number
        session.save(update_fields=["wanted", "link_number"])
        if connection.status in ENDED:
            set_qr_status(connection, ConnectionStatus.OPENING)
        transaction.on_commit(wake_gateways, robust=True)


def _unanswered_epoch(connection: Connection, number: str) -> int | None:
    """Ask the owner of a running session to start it again; return the epoch of an owner that does
    not answer.
    """
    session = QrSession.objects.filter(connection=connection, wanted=SessionWish.RUN).first()
    client = client_of(connection) if session else None
    if client is None:
        return None
    try:
        if number and connection.status == ConnectionStatus.QRCODE:
            client.command("link", {"number": number}, read_seconds=RESTART_SECONDS)
        else:
            client.command("qr", {}, read_seconds=RESTART_SECONDS)
    except ProviderError as error:
        logger.info("A session is revoked from its gateway: %s", error.code)
        return client.epoch
    return None


def renew_qr_code(connection: Connection, *, number: str = "") -> None:
    """Pair a session again; raises SessionUnavailable and SessionBusy.

    A session that shows a code gets a new one; a paired one is logged out first. Never call it in a
    transaction.
    """
    _require_gateway()
    client = client_of(connection)
    if client is not None and connection.status == ConnectionStatus.QRCODE:
        try:
            if number:
                client.command("link", {"number": number})
            else:
                client.command("qr", {})
        except ProviderError as error:
            raise SessionBusy from error
        return
    if client is not None:
        end_qr_session(connection)
    with transaction.atomic():
        session = _locked(connection)
        if _is_free(session):
            part_from([session.pk])
        else:
            _sever(session)
        session.wanted = SessionWish.STOP
        session.save(update_fields=["wanted"])
    start_qr_session(connection, number=number)


def end_qr_session(connection: Connection) -> None:
    """Log a session out: at once if its owner answers, else at its next report.

    Without an owner the next gateway logs the device out. Waits for the network: never call it in a
    transaction.
    """
    client = client_of(connection)
    with transaction.atomic():
        session = _locked(connection)
        session.wanted, session.link_number = SessionWish.LOGOUT, ""
        session.save(update_fields=["wanted", "link_number"])
        if _is_free(session):
            end_lease(session)
    if client is not None and _log_out(client):
        with transaction.atomic():
            session = _locked(connection)
            if (session.epoch, session.wanted) == (client.epoch, SessionWish.LOGOUT):
                forget_state([session.pk])
                end_lease(session)


def abandon_qr_session(connection: Connection) -> None:
    """Log out the session of a connection that is being deleted, after the commit."""
    session = QrSession.objects.filter(connection=connection).first()
    if session is None:
        return
    client = client_of(connection)
    session.connection, session.wanted = None, SessionWish.LOGOUT
    session.save(update_fields=["connection", "wanted"])
    if client is None:
        end_lease(session)
        return

    def log_out() -> None:
        if _log_out(client):
            QrSession.objects.filter(pk=session.pk, epoch=client.epoch).delete()

    transaction.on_commit(log_out, robust=True)


def _log_out(client: GatewayClient) -> bool:
    """Tell whether an owner logged its session out and dropped it."""
    try:
        client.command("logout", {})
    except ProviderError as error:
        logger.info("A session is logged out later: %s", error.code)
        return False
    return True


def _locked(connection: Connection) -> QrSession:
    session, _ = QrSession.objects.get_or_create(
        pk=connection.pk, defaults={"connection": connection}
    )
    return QrSession.objects.select_for_update(of=("self",)).get(pk=session.pk)


def _is_free(session: QrSession) -> bool:
    return session.expires_at is None or session.expires_at <= database_now()


def _sever(session: QrSession) -> None:
    """Revoke a session that is to be logged out from an owner that does not answer."""
    revoke_lease(session)
    part_from([session.pk])
    session.credentials = ""


def _require_gateway() -> None:
    if not settings.GATEWAY_SECRET or not gateways_seen():
        raise SessionUnavailable


def wake_gateways() -> None:
    """Ask the gateways for their lease call now; errors are ignored, since they make it by
    themselves.
    """
    for gateway in gateways_seen()[:3]:
        wake_gateway(settings.GATEWAY_SECRET, gateway.address)


def hear_gateway(gateway: str, *, steady: int) -> None:
    """Take a gateway's sign of life; have the living ones claim the sessions of dead ones."""
    if take_beat(gateway, steady=steady):
        wake_gateways()


def set_qr_status(
    connection: Connection,
    status: str,
    sentence: str = "",
    reason: Reason = NO_REASON,
    **more: Any,
) -> None:
    """Set a QR connection's status and tell browsers; codes are removed when they cannot be used
    any more.
    """
    fields = {"qrcode": "", "pairing_code": "", **more}
    Connection.objects.filter(pk=connection.pk).update(
        status=status,
        status_reason=sentence,
        reason_code=reason.code,
        reason_detail=reason.detail,
        updated_at=timezone.now(),
        **fields,
    )
    connection.refresh_from_db()
    events.connection_updated(connection)
    events.session_updated(connection)


def apply_session_event(session: QrSession, payload: dict[str, Any]) -> None:
    """Apply the owner's report about a locked session: status, code, number and reason.

    A session that is to end ignores reports: people saw its end already.
    """
    connection = session.connection
    if session.wanted != SessionWish.RUN or connection is None:
        return
    status = str(payload.get("status"))
    if status not in ConnectionStatus.values:
        logger.warning("Session %s reported the unknown status %.20r", session.pk, status)
        return
    more: dict[str, Any] = {}
    if status == ConnectionStatus.QRCODE:
        more = {
            "qrcode": _text(payload.get("qr"), 2000),
            "pairing_code": _text(payload.get("pairingCode"), 20),
            "retries": connection.retries + 1,
        }
    elif status == ConnectionStatus.CONNECTED:
        more = {"retries": 0, "sends_paused_until": None}
        me = payload.get("me")
        number = _text(me.get("number"), 30) if isinstance(me, dict) else ""
        if number:
            more["number"] = number
        if session.link_number:
            session.link_number = ""
            session.save(update_fields=["link_number"])
    code, sentence = REASONS.get(_text(payload.get("reason"), 30), ("", ""))
    reason = Reason(code, _text(payload.get("detail"), 300)) if code else NO_REASON
    if status in ENDED:
        # Its owner has closed it. Credentials that the phone has revoked are useless.
        if payload.get("reason") == "logged_out":
            forget_state([session.pk])
        session.wanted = SessionWish.STOP
        end_lease(session)
        session.save(update_fields=["wanted"])
        if not code:
            reason = Reason(ReasonCode.CONNECTION_LOST)
            sentence = "A conexão com o WhatsApp terminou. Tente de novo."
    set_qr_status(connection, status, sentence, reason, **more)
    if status == ConnectionStatus.CONNECTED:
        wake("tickets.deliver")


def _text(value: Any, length: int) -> str:
    return value.replace("\x00", "")[:length] if isinstance(value, str) else ""


def notice_dead_owners() -> None:
    """Set connected sessions without an owner to OPENING.

    An owner that was only late is asked for the session's status when it renews the lease.
    """
    orphans = QrSession.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__lte=Now()),
        wanted=SessionWish.RUN,
        connection__status__in=OWNED,
    )
    for pk in orphans.values_list("pk", flat=True):
        with transaction.atomic():
            # The owner may have renewed the lease since, or reported the end of the session.
            locked = orphans.select_for_update(of=("self",)).filter(pk=pk).first()
            if locked is not None and locked.connection is not None:
                _show_gateway_gone(locked.connection)


def _show_gateway_gone(connection: Connection) -> None:
    reason = Reason(ReasonCode.GATEWAY_GONE)
    set_qr_status(connection, ConnectionStatus.OPENING, GATEWAY_GONE, reason)
