"""Who may change or delete which user: the table of rules/accounts §4, in its order."""

from apps.accounts.models import User
from apps.accounts.permissions import Permission
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


class MoreThanOwn(DomainError):
    """Who manages users can't change or delete somebody who may do more than they.

    Otherwise a new password would give them the rights of the other one.
    """

    status = 403
    code = "ERR_CANNOT_EDIT_USER_WITH_MORE"
    message = "Você não pode alterar nem excluir quem pode fazer mais do que você."


class OwnAdminAccount(DomainError):
    """Nobody who manages users can delete their own account."""

    status = 403
    code = "ERR_CANNOT_EDIT_OR_DELETE_OWN_ADMIN_ACCOUNT"
    message = "Você não pode excluir a sua própria conta de administrador."


class OwnAccount(DomainError):
    """Nobody changes the own role, and only who manages users the own queues and connection."""

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


# The columns that say which role a user has.
ROLE_FIELDS = frozenset({"profile", "is_supervisor", "role_id"})


def judge_change(actor: User, user: User, changed: set[str]) -> None:
    """Refuse a change that the table does not allow; raises a DomainError.

    `changed` holds the names of the fields that differ from the stored row: name, email, password,
    profile, is_supervisor, role_id, connection_id or queue_ids.
    """
    is_own = actor.pk == user.pk
    if not is_own and not actor.may(Permission.USERS):
        raise NoPermission
    if not changed:
        return
    if is_own:
        if changed & ROLE_FIELDS:
            raise SuperUserStaysAdmin if user.is_super else OwnAccount
        if not user.may(Permission.USERS) and changed & {"connection_id", "queue_ids"}:
            raise OwnAccount
    elif user.is_super:
        raise SuperUserProfileFixed if changed & ROLE_FIELDS else SuperUserFixed
    else:
        _judge_rank(actor, user)


def judge_deletion(actor: User, user: User) -> None:
    """Refuse a deletion that the table does not allow; raises a DomainError."""
    if not actor.may(Permission.USERS):
        raise NoPermission
    if user.is_super:
        raise UserNotDeletable
    if actor.pk == user.pk:
        raise OwnAdminAccount
    _judge_rank(actor, user)


def _judge_rank(actor: User, user: User) -> None:
    if user.is_admin and not actor.is_super:
        raise AdminFixed
    if not user.granted <= actor.granted:
        raise MoreThanOwn
