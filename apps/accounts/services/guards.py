"""Who may change or delete which user: the table of rules/accounts §4, row by row."""

from apps.accounts.models import User
from apps.common.errors import DomainError, NoPermission


class UserNotDeletable(DomainError):
    status = 403
    code = "ERR_NO_USER_DELETE"
    message = "O super administrador não pode ser excluído."


class SuperUserProfileFixed(DomainError):
    """Only the super user touches the super user's profile."""

    status = 403
    code = "ERR_CANNOT_EDIT_SUPER_USER_PROFILE"
    message = "O perfil do super administrador não pode ser alterado."


class SuperUserFixed(DomainError):
    """Only the super user changes the super user."""

    status = 403
    code = "ERR_CANNOT_EDIT_SUPER_USER"
    message = "O super administrador não pode ser alterado por outra pessoa."


class SuperUserStaysAdmin(DomainError):
    """The super user may not step down."""

    status = 403
    code = "ERR_CANNOT_CHANGE_SUPER_ADMIN_PROFILE_TO_USER"
    message = "O super administrador não pode deixar de ser administrador."


class AdminFixed(DomainError):
    """An admin leaves other admins alone."""

    status = 403
    code = "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN"
    message = "Um administrador não pode alterar ou excluir outro administrador."


class OwnAdminAccount(DomainError):
    """An admin can't delete the own account."""

    status = 403
    code = "ERR_CANNOT_EDIT_OR_DELETE_OWN_ADMIN_ACCOUNT"
    message = "Você não pode excluir a sua própria conta de administrador."


class OwnAccount(DomainError):
    """What the own account may do is for others to decide."""

    status = 403
    code = "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT"
    message = "Você não pode alterar o próprio perfil, as próprias filas ou a própria conexão."


def judge_change(actor: User, user: User, changed: set[str]) -> None:
    """Refuse a change of `changed` fields by its row of the table; raises a DomainError.

    `changed` holds names among name, email, password, profile, connection_id and queue_ids, and
    only those that differ from the stored row.
    """
    is_own = actor.pk == user.pk
    if not is_own and not (actor.is_admin or actor.is_super):
        raise NoPermission
    if not changed:
        return
    if is_own:
        if "profile" in changed:
            raise SuperUserStaysAdmin if user.is_super else OwnAccount
        if not user.is_admin and changed & {"connection_id", "queue_ids"}:
            raise OwnAccount
    elif user.is_super:
        raise SuperUserProfileFixed if "profile" in changed else SuperUserFixed
    elif user.is_admin and not actor.is_super:
        raise AdminFixed


def judge_deletion(actor: User, user: User) -> None:
    """Refuse a deletion by its row of the table; raises a DomainError."""
    if not (actor.is_admin or actor.is_super):
        raise NoPermission
    if user.is_super:
        raise UserNotDeletable
    if actor.pk == user.pk:
        raise OwnAdminAccount
    if user.is_admin and not actor.is_super:
        raise AdminFixed
