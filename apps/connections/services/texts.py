"""Changes only texts of a connection, without a look at its number."""

from collections.abc import Mapping

from apps.accounts.models import User
from apps.audit.services import record
from apps.connections import events
from apps.connections.services.saving import connection_for, lock_company


def change_texts(
    *,
    actor: User,
    connection_id: int,
    texts: Mapping[str, str],
    ip_address: str | None = None,
) -> None:
    """Write texts, by model field, to a connection of the actor's company; audited.

    Call it in a transaction. Raises ConnectionNotFound. Unlike `update_connection` it verifies
    nothing at the provider, so a number that is down can be changed too.
    """
    company_id: int = actor.company_id
    lock_company(company_id)
    connection = connection_for(company_id=company_id, pk=connection_id)
    for field, text in texts.items():
        setattr(connection, field, text)
    connection.save(update_fields=[*texts, "updated_at"])
    record(
        action="connection.updated",
        actor=actor,
        company_id=company_id,
        target=connection,
        detail={"fields": sorted(texts), "verifies": False},
        ip_address=ip_address,
    )
    events.connection_updated(connection)
