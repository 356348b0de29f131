"""Who may change or delete which user: the table of rules/accounts §4, in its order."""

from apps.accounts.models import User
from apps.common.errors import DomainError, NoPermission


class UserNotDeletable(DomainError):
    status = 403
    code = "ERR_NO_USER_DELETE"
    message = "O super administrador não pode ser excluído."


class SuperUserProfileFixed(DomainError):
    """Nobody else may change the super user's profile."""

    status = 403
    code = "ERR_CANNOT_EDIT_SUPER_USER_PROFILE"
    message = "O perfil do super administrador não pode ser alterado."


class SuperUserFixed(DomainError):
    """Nobody else may change the super user."""

    status = 403
    code = "ERR_CANNOT_EDIT_SUPER_USER"
    message = "O super administrador não pode ser alterado por outra pessoa."


class SuperUserStaysAdmin(DomainError):
    """The super user can't give up the admin profile."""

    status = 403
    code = "ERR_CANNOT_CHANGE_SUPER_ADMIN_PROFILE_TO_USER"
    message = "O super administrador não pode deixar de ser administrador."


class AdminFixed(DomainError):
    """An admin can't change or delete another admin."""

    status = 403
    code = "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN"
    message = "Um administrador não pode alterar ou excluir outro administrador."


class OwnAdminAccount(DomainError):
    """An admin can't delete their own account."""

    status = 403
    code = "ERR_CANNOT_EDIT_OR_DELETE_OWN_ADMIN_ACCOUNT"
    message = "Você não pode excluir a sua própria conta de administrador."


class OwnAccount(DomainError):
    """A user can't change the profile, and a `user` not the queues or connection, of their own
    account.
    """

    status = 403
    code = "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT"
    message = "Você não pode alterar o próprio perfil, as próprias filas ou a própria conexão."


class OwnTwoFactor(DomainError):
    """An admin can't remove the second factor of their own account without the password."""

    status = 403
    code = "ERR_OWN_TWO_FACTOR"
    message = (
        "Desative a sua própria verificação em duas etapas em 'Perfil', no menu da sua conta, com a"
        " sua senha."
    )


def judge_change(actor: User, user: User, changed: set[str]) -> None:
    """Refuse a change that the table does not allow; raises a DomainError.

    `changed` holds the names of the fields that differ from the stored row: name, email, password,
    profile, connection_id or queue_ids.
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
    """Refuse a deletion that the table does not allow; raises a DomainError."""
    if not (actor.is_admin or actor.is_super):
        raise NoPermission
    if user.is_super:
        raise UserNotDeletable
    if actor.pk == user.pk:
        raise OwnAdminAccount
    if user.is_admin and not actor.is_super:
        raise AdminFixed
