"""Tokens of programs that send through a connection (rules/messages-api §1).

Only a hash is stored; a new token revokes the old one.
"""

import hashlib
import secrets

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.common.encryption import is_unchanged
from apps.common.errors import InvalidInput
from apps.connections import events
from apps.connections.models import Connection

TOKEN_BYTES = 32


def hash_token(token: str) -> str:
    """Return the stored hash of a token; a random token needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def connection_of_token(token: str) -> Connection | None:
    """Return the connection of a token; None for an unknown one."""
    if not token:
        return None
    return Connection.objects.filter(token_hash=hash_token(token)).first()


def issue_token(*, actor: User, connection: Connection, ip_address: str | None = None) -> str:
    """Create the connection's token and revoke the former one; return it, the only time that it is
    readable.

    Raises PlanFeatureMissing.
    """
    require_feature(company_id=connection.company_id, feature="externalApi")
    token = secrets.token_urlsafe(TOKEN_BYTES)
    _write(actor, connection, hash_token(token), "connection.token_issued", ip_address)
    return token


def take_token(
    *, actor: User, connection: Connection, token: str, ip_address: str | None = None
) -> None:
    """Make a text that an older connection dialog sent the connection's token.

    An empty or masked one changes nothing, nor does the present token. Raises PlanFeatureMissing,
    and InvalidInput for a token of another connection.
    """
    if is_unchanged(token) or hash_token(token) == connection.token_hash:
        return
    require_feature(company_id=connection.company_id, feature="externalApi")
    if connection_of_token(token) is not None:
        sentence = "Este token já está em uso. Informe outro."
        raise InvalidInput(sentence, fields={"token": [sentence]}, rule="taken")
    _write(actor, connection, hash_token(token), "connection.token_issued", ip_address)


def revoke_token(*, actor: User, connection: Connection, ip_address: str | None = None) -> None:
    """Revoke the connection's token, if it has one."""
    if connection.token_hash:
        _write(actor, connection, None, "connection.token_revoked", ip_address)


@transaction.atomic
def _write(
    actor: User, connection: Connection, kept: str | None, action: str, ip_address: str | None
) -> None:
    connection.token_hash = kept
    connection.save(update_fields=["token_hash", "updated_at"])
    record(
        action=action,
        actor=actor,
        company_id=connection.company_id,
        target=connection,
        detail={"name": connection.name},
        ip_address=ip_address,
    )
    events.connection_updated(connection)
