from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Model

from apps.audit.models import AuditEntry
from apps.common.bulk import insert_row


def record(
    *,
    action: str,
    actor: AbstractBaseUser | None,
    company_id: int | None,
    target: Model | None = None,
    detail: dict[str, Any] | None = None,
    ip_address: str | None = None,
) -> AuditEntry:
    """Write an audit entry; call it inside the transaction of the change.

    `action` is e.g. 'user.deleted'; `detail` is JSON without secrets. Without an actor the system
    did it. The actor's name is stored too: an entry still has it after the account was deleted,
    and of a service token it is all there is.
    """
    entry = AuditEntry(
        action=action,
        # A program's id is 0, which is no account's.
        actor_id=(actor.pk or None) if actor else None,
        actor_name=str(getattr(actor, "name", "")),
        company_id=company_id,
        object_type=target._meta.model_name or "" if target else "",
        object_id=str(target.pk) if target else "",
        detail=detail or {},
        ip_address=ip_address,
    )
    insert_row(entry)
    return entry
