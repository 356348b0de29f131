"""Users and who may change them (rules/accounts §2 and §4)."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts import events
from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.accounts.queries import authenticator_of
from apps.accounts.services import two_factor
from apps.accounts.services.guards import (
    ROLE_FIELDS,
    OwnTwoFactor,
    judge_change,
    judge_deletion,
)
from apps.accounts.services.passwords import CurrentPasswordMissing, check_current_password
from apps.accounts.services.roles import (
    check_grants,
    check_manager_stays,
    check_queues_given,
    judge_role,
    lock_roles,
    named_role,
    with_role_fields,
)
from apps.accounts.services.sessions import end_sessions, renew_own_session
from apps.accounts.services.taken_emails import (
    EmailTaken,
    counted_address,
    record_taken,
    save_user,
)
from apps.audit.services import record
from apps.billing.services import require_room
from apps.common.errors import InvalidInput, NotFound
from apps.common.registry import Hook
from apps.companies.models import Company
from apps.companies.queries import owns, zone_of
from apps.mail.services import write_mail

# Called in the same transaction, before a user is deleted or disabled.
user_removal: Hook[[User]] = Hook()
# Called in the same transaction, after a user's queues have changed.
queues_changed: Hook[[User]] = Hook()
# Called in the same transaction, before a user is deleted.
user_deletion: Hook[[User]] = Hook()


class UserNotFound(NotFound):
    """The company has no such user."""

    code = "ERR_NO_USER_FOUND"
    message = "Usuário não encontrado."


@dataclass(frozen=True)
class ChangedUser:
    """The changed user; `refresh_token` is set when users change their own password."""

    user: User
    refresh_token: str = ""


def get_user(*, company_id: int, user_id: int) -> User:
    """Return a company's user with company and plan loaded; raises UserNotFound."""
    rows = User.objects.for_company(company_id).select_related("company__plan")
    user: User | None = rows.filter(pk=user_id).first()
    if user is None:
        raise UserNotFound
    return user


def _check_links(company_id: int, changes: Mapping[str, Any]) -> None:
    """Refuse queues and connections that are not the company's."""
    queue_ids = changes.get("queue_ids")
    if queue_ids and not owns(company_id, "queues", queue_ids):
        sentence = "Uma das filas não existe nesta empresa."
        raise InvalidInput(sentence, fields={"queueIds": [sentence]}, rule="does_not_exist")
    connection_id = changes.get("connection_id")
    if connection_id and not owns(company_id, "connections", [connection_id]):
        sentence = "Esta conexão não existe nesta empresa."
        raise InvalidInput(sentence, fields={"whatsappId": [sentence]}, rule="does_not_exist")


def create_user(
    *,
    company: Company,
    name: str,
    email: str,
    password: str = "",
    profile: str | None = None,
    role: str | None = None,
    connection_id: int | None = None,
    queue_ids: Iterable[int] = (),
    is_super: bool = False,
    actor: User | None = None,
    ip_address: str | None = None,
) -> User:
    """Create a user; `actor` is None when the system does it.

    `role` is the key of a role (`User.role_key`), `profile` that of older browsers; without both it
    is `user`. Raises PlanLimitReached, EmailTaken, GrantsMore, and InvalidInput for an empty
    password, a profile that is not the role's, or a role, queue or connection of another company.
    """
    if not password:
        sentence = "Informe a senha."
        raise InvalidInput(sentence, fields={"password": [sentence]}, rule="required")
    queue_ids = list(queue_ids)
    try:
        return _create_user(
            User(
                company=company,
                name=name.strip(),
                email=email.strip().lower(),
                connection_id=connection_id,
                is_super=is_super,
            ),
            role={"role": role, "profile": profile},
            password=password,
            queue_ids=queue_ids,
            actor=actor,
            ip_address=ip_address,
        )
    except EmailTaken:
        if actor is not None:
            record_taken(actor, email, ip_address)
        raise


def _create_user(
    user: User,
    *,
    role: Mapping[str, str | None],
    password: str,
    queue_ids: list[int],
    actor: User | None,
    ip_address: str | None,
) -> User:
    company_id = user.company_id
    with transaction.atomic():
        require_room(
            company_id=company_id, resource="users", rows=User.objects.for_company(company_id)
        )
        _check_links(company_id, {"queue_ids": queue_ids, "connection_id": user.connection_id})
        # No role changes now: the company is locked.
        for name, value in with_role_fields(user, role).items():
            setattr(user, name, value)
        check_grants(actor, user.granted)
        check_queues_given(actor, queue_ids)
        user.set_password(password)
        with counted_address(company_id, is_counted=actor is not None):
            save_user(user)
        user.queues.set(queue_ids)
        record(
            action="user.created",
            actor=actor,
            company_id=company_id,
            target=user,
            detail={"email": user.email, "profile": user.profile, **named_role(user)},
            ip_address=ip_address,
        )
        events.user_changed(user, "create")
    return user


def _changed_fields(user: User, changes: Mapping[str, Any]) -> set[str]:
    """Return which of the sent fields differ from the stored row."""
    changed = {
        name
        for name in ("name", "email", "connection_id", *ROLE_FIELDS)
        if name in changes and changes[name] != getattr(user, name)
    }
    if changes.get("password"):
        changed.add("password")
    if "queue_ids" in changes and set(changes["queue_ids"]) != {
        queue.pk for queue in user.queues.all()
    }:
        changed.add("queue_ids")
    return changed


def update_user(
    *,
    actor: User,
    user_id: int,
    changes: Mapping[str, Any],
    current_password: str | None = None,
    ip_address: str | None = None,
    language: str = "",
) -> ChangedUser:
    """Change a user of the actor's company; only fields that differ from the stored row are
    checked.

    `changes` may hold name, email, password (empty: unchanged), role (a key), profile,
    connection_id and queue_ids. A new password ends the user's sessions. Users who change their
    own password keep this session, with the returned refresh token.

    `current_password` is required for a new own e-mail, and for a new own password if the account
    has a second factor; otherwise it is checked when given. A change of the own password or e-mail
    is notified in `language`, at the previous e-mail address.

    Raises UserNotFound, the errors of `guards`, GrantsMore, LastAdmin, LastManager, EmailTaken,
    CurrentPasswordMissing, WrongPassword, TooManyAttempts after ten wrong ones or ten taken
    e-mails, and InvalidInput for a role, queue or connection of another company.
    """
    if "email" in changes:
        changes = {**changes, "email": changes["email"].strip().lower()}
    is_own = actor.pk == user_id
    is_proven = is_own and _prove_owner(actor, changes, current_password, ip_address)
    try:
        return _change_user(
            actor, user_id, changes, is_proven=is_proven, ip_address=ip_address, language=language
        )
    except EmailTaken:
        target = get_user(company_id=actor.company_id, user_id=user_id)
        record_taken(actor, changes["email"], ip_address, target)
        raise


@transaction.atomic
def _change_user(
    actor: User,
    user_id: int,
    changes: Mapping[str, Any],
    *,
    is_proven: bool,
    ip_address: str | None,
    language: str,
) -> ChangedUser:
    refresh_token, is_own = "", actor.pk == user_id
    if changes.keys() & {"role", "profile"}:
        lock_roles(actor.company_id)
    # The lock ensures that the checked row is the changed row.
    User.objects.for_company(actor.company_id).select_for_update().filter(pk=user_id).first()
    user = get_user(company_id=actor.company_id, user_id=user_id)
    changes = with_role_fields(user, changes)
    changed = _changed_fields(user, changes)
    judge_change(actor, user, changed)
    if not changed:
        return ChangedUser(user)
    if is_own and not is_proven and _asks_for_password(user, changed):
        raise CurrentPasswordMissing
    _check_links(user.company_id, {name: changes[name] for name in changed})
    before = copy(user)
    for name in changed - {"password", "queue_ids"}:
        setattr(user, name, changes[name])
    if "password" in changed:
        user.set_password(changes["password"])
    with counted_address(user.company_id, is_counted="email" in changed):
        save_user(user)
    judge_role(actor, user, before)
    if "queue_ids" in changed:
        check_queues_given(actor, changes["queue_ids"], user)
        user.queues.set(changes["queue_ids"])
        queues_changed(user)
    if "password" in changed:
        if is_own:
            refresh_token = renew_own_session(user)
        else:
            end_sessions(user)
        record(
            action="user.password_changed",
            actor=actor,
            company_id=user.company_id,
            target=user,
            ip_address=ip_address,
        )
    if is_own:
        tell_owner(user, before.email, changed, ip_address, language)
    if "email" in changed:
        record(
            action="user.email_changed",
            actor=actor,
            company_id=user.company_id,
            target=user,
            detail={"from": before.email, "to": user.email},
            ip_address=ip_address,
        )
    if changed & ROLE_FIELDS:
        record(
            action="user.profile_changed",
            actor=actor,
            company_id=user.company_id,
            target=user,
            detail={"from": before.role_key, "to": user.role_key, **named_role(user)},
            ip_address=ip_address,
        )
    user = get_user(company_id=actor.company_id, user_id=user_id)
    events.user_changed(user, "update")
    return ChangedUser(user, refresh_token)


def join_queue(user: User, queue_id: int) -> None:
    """Make a user a member of a queue of their company; call it in a transaction."""
    user.queues.add(queue_id)
    queues_changed(user)
    events.user_changed(get_user(company_id=user.company_id, user_id=user.pk), "update")


def _prove_owner(
    actor: User,
    changes: Mapping[str, Any],
    current_password: str | None,
    ip_address: str | None,
) -> bool:
    """Check the current password if it was sent with a new e-mail or password of the own account.

    Returns whether it was checked.
    """
    if current_password is None:
        return False
    user = get_user(company_id=actor.company_id, user_id=actor.pk)
    if not _changed_fields(user, changes) & {"email", "password"}:
        return False
    check_current_password(user, current_password, ip_address=ip_address)
    return True


def _asks_for_password(user: User, changed: set[str]) -> bool:
    """Tell whether a change of the own account needs the current password."""
    if "email" in changed:
        return True
    # Older browsers have no field for the current password. They can still change the password of
    # an account without a second factor.
    return "password" in changed and authenticator_of(user) is not None


def choose_after_resolve(*, user: User, opens_next: bool) -> None:
    """Store whether resolving a ticket opens the next conversation, or the list.

    No event is emitted: an account has only one session, and the next sign-in returns the value.
    """
    User.objects.filter(pk=user.pk).update(opens_next=opens_next)


def tell_owner(
    user: User, old_email: str, changed: Iterable[str], ip_address: str | None, language: str
) -> None:
    """Notify users by e-mail that their password or e-mail was changed from their own account.

    The mail goes to `old_email`, the address before the change: a thief of the session may have set
    the new one.
    """
    for template in [f"{field}_changed" for field in ("email", "password") if field in changed]:
        write_mail(
            company_id=user.company_id,
            recipient=old_email,
            template=f"accounts/mail/{template}",
            language=language,
            name=user.name,
            email=old_email,
            new_email=user.email,
            moment=timezone.localtime(timezone=zone_of(user.company_id)),
            ip_address=ip_address,
        )


def take_two_factor_away(*, actor: User, user_id: int, ip_address: str | None = None) -> None:
    """Remove the second factor of another user of the actor's company, who lost the telephone.

    For the own account use `two_factor.disable`, which needs the password. Raises UserNotFound,
    OwnTwoFactor and the errors of `guards`.
    """
    user = get_user(company_id=actor.company_id, user_id=user_id)
    if user.pk == actor.pk:
        raise OwnTwoFactor
    judge_change(actor, user, {"password"})
    two_factor.take_away(user=user, actor=actor, ip_address=ip_address)


def delete_user(*, actor: User, user_id: int, ip_address: str | None = None) -> None:
    """Delete a user of the actor's company.

    The hooks `user_removal` and `user_deletion` release the user's tickets and other rows. Raises
    UserNotFound, LastAdmin, LastManager and the errors of `guards`.
    """
    with transaction.atomic():
        lock_roles(actor.company_id)
        user = get_user(company_id=actor.company_id, user_id=user_id)
        judge_deletion(actor, user)
        user_removal(user)
        user_deletion(user)
        record(
            action="user.deleted",
            actor=actor,
            company_id=user.company_id,
            target=user,
            detail={"name": user.name, "email": user.email},
            ip_address=ip_address,
        )
        may_manage, was_admin = user.may(Permission.USERS), user.is_admin
        user.delete()
        if may_manage:
            check_manager_stays(actor.company_id, was_admin=was_admin)
        events.user_deleted(company_id=actor.company_id, user_id=user_id)


def set_active(*, user: User, is_active: bool, actor: User | None) -> None:
    """Switch an account on or off. Switching it off signs it out and runs `user_removal`."""
    with transaction.atomic():
        # When the account is switched on again, the rows of older sessions are deleted.
        end_sessions(user, forget=is_active)
        if not is_active:
            user_removal(user)
        user.is_active = is_active
        user.save(update_fields=["is_active", "updated_at"])
        record(
            action="user.enabled" if is_active else "user.disabled",
            actor=actor,
            company_id=user.company_id,
            target=user,
        )
        events.user_changed(user, "update")
