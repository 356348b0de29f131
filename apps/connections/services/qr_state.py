"""Credentials and signal keys of QR sessions; only the owner writes them."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q

from apps.common.errors import DomainError
from apps.connections.models import QrAddress, QrFarewell, QrSession, QrSessionKey

MOST_KEYS = 2000
Keys = Mapping[str, Mapping[str, Any]]


class StaleEpoch(DomainError):
    """The caller does not own the session, or not any more."""

    status = 409
    code = "ERR_STALE_EPOCH"
    message = "Outro gateway é o dono desta sessão."


class SessionGone(DomainError):
    status = 410
    code = "ERR_SESSION_GONE"
    message = "Esta conexão foi excluída."


class StateRefused(DomainError):
    """The state is malformed or too large."""

    code = "ERR_GATEWAY_BODY"
    message = "O corpo da chamada não é o que o contrato diz."


def locked_session(session_id: int, epoch: int) -> tuple[QrSession, int]:
    """Return a session held until commit, and its connection's id.

    Raises SessionGone and StaleEpoch.
    """
    rows = QrSession.objects.select_for_update(of=("self",)).defer("credentials")
    session = rows.filter(pk=session_id).first()
    if session is None or session.connection_id is None:
        raise SessionGone
    if session.epoch != epoch:
        raise StaleEpoch
    return session, session.connection_id


def credentials_of(session: QrSession) -> Any:
    """Return a session's credentials as the gateway gave them, None before the first pairing."""
    return orjson.loads(session.credentials) if session.credentials else None


def read_keys(
    *, session_id: int, epoch: int, wanted: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return keys by type and name, None for missing ones; raises as `locked_session`."""
    if sum(map(len, wanted.values())) > MOST_KEYS:
        raise StateRefused
    values: dict[str, Any] = {kind: dict.fromkeys(names) for kind, names in wanted.items()}
    named = Q(pk__in=[])
    for kind, names in wanted.items():
        named |= Q(type=kind, name__in=names)
    with transaction.atomic():
        locked_session(session_id, epoch)
        rows = QrSessionKey.objects.filter(named, session_id=session_id)
        for kind, name, value in rows.values_list("type", "name", "value"):
            values[kind][name] = orjson.loads(value)
    return values


def store_state(
    session: QrSession, *, credentials: Any = None, keys: Keys | None = None, write: int = 0
) -> None:
    """Store credentials and keys of a locked session; None deletes a key. `write` is the number of
    the owner's write (0: not numbered); after a later write it changes nothing.
    """
    if (credentials is None and not keys) or not _is_next(session, write):
        return
    if credentials is not None:
        session.credentials = orjson.dumps(credentials).decode()
        session.save(update_fields=["credentials"])
    rows, gone = [], Q(pk__in=[])
    for kind, values in (keys or {}).items():
        gone |= Q(type=kind, name__in=[name for name, value in values.items() if value is None])
        rows += [
            QrSessionKey(session=session, type=kind, name=name, value=orjson.dumps(value).decode())
            for name, value in values.items()
            if value is not None
        ]
    if keys:
        QrSessionKey.objects.filter(gone, session=session).delete()
    QrSessionKey.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["session", "type", "name"],
        update_fields=["value"],
    )


def _is_next(session: QrSession, write: int) -> bool:
    """Store the number of a write; return False after a later one.

    A timed-out call may still be waiting for the lock while the gateway goes on: its state is older
    than the stored one.
    """
    if not write:
        return True
    if write <= session.writes:
        return False
    session.writes = write
    session.save(update_fields=["writes"])
    return True


def wipe_state(*, session_id: int, epoch: int, write: int = 0) -> None:
    """Delete credentials and keys at the owner's request; raises as `locked_session`."""
    with transaction.atomic():
        session, _ = locked_session(session_id, epoch)
        if _is_next(session, write):
            forget_state([session.pk])


def part_from(ids: Sequence[int]) -> None:
    """Delete the state of sessions; the next gateway logs out those that are still linked."""
    linked = [row for row in QrSession.objects.filter(pk__in=ids) if row.credentials]
    QrFarewell.objects.bulk_create([QrFarewell(credentials=row.credentials) for row in linked])
    forget_state(ids)


def forget_state(ids: Sequence[int]) -> None:
    """Delete credentials, keys and address books of sessions; delete sessions without a
    connection.
    """
    if not ids:
        return
    QrSessionKey.objects.filter(session__in=ids).delete()
    QrAddress.objects.filter(session__in=ids).delete()
    QrSession.objects.filter(pk__in=ids).update(credentials="")
    QrSession.objects.filter(pk__in=ids, connection=None).delete()
