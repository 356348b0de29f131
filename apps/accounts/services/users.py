"""Users and who may change them (rules/accounts §2 and §4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts import events
from apps.accounts.models import Profile, User
from apps.accounts.queries import authenticator_of
from apps.accounts.services import two_factor
from apps.accounts.services.guards import OwnAccount, judge_change, judge_deletion
from apps.accounts.services.passwords import CurrentPasswordMissing, check_current_password
from apps.accounts.services.sessions import end_sessions, renew_own_session
from apps.audit.services import record
from apps.billing.services import require_room
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.registry import Hook
from apps.companies.models import Company
from apps.companies.queries import owns, zone_of
from apps.mail.services import write_mail

# Called in the same transaction, before a user is deleted or disabled.
user_removal: Hook[[User]] = Hook()
# Called in the same transaction, before a user is deleted.
user_deletion: Hook[[User]] = Hook()


class UserNotFound(NotFound):
    """The company has no such user."""

    code = "ERR_NO_USER_FOUND"
    message = "Usuário não encontrado."


@dataclass(frozen=True)
class ChangedUser:
    """A user as changed; `refresh_token` replaces the one of who set the own password."""

    user: User
    refresh_token: str = ""


class EmailTaken(DomainError):
    """An account with this e-mail exists, here or in another company."""

    code = "ERR_EMAIL_EXISTS"
    message = "Já existe um usuário com este e-mail."

    def __init__(self) -> None:
        super().__init__(fields={"email": [self.message]})


def get_user(*, company_id: int, user_id: int) -> User:
    """Return a company's user with company, plan and queues; raises UserNotFound."""
    user: User | None = (
        User.objects.for_company(company_id)
        .select_related("company__plan")
        .prefetch_related("queues")
        .filter(pk=user_id)
        .first()
    )
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


def _save(user: User) -> None:
    """Save the user; raises EmailTaken, which the database decides."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        if "email" in str(error):
            raise EmailTaken from error
        raise


def create_user(
    *,
    company: Company,
    name: str,
    email: str,
    password: str = "",
    profile: str = Profile.USER,
    connection_id: int | None = None,
    queue_ids: Iterable[int] = (),
    is_super: bool = False,
    actor: User | None = None,
    ip_address: str | None = None,
) -> User:
    """Create a user; without an actor the system does it.

    Raises PlanLimitReached, EmailTaken, and InvalidInput for a foreign queue or connection.
    """
    if not password:
        sentence = "Informe a senha."
        raise InvalidInput(sentence, fields={"password": [sentence]}, rule="required")
    queue_ids = list(queue_ids)
    with transaction.atomic():
        require_room(
            company_id=company.pk, resource="users", rows=User.objects.for_company(company.pk)
        )
        _check_links(company.pk, {"queue_ids": queue_ids, "connection_id": connection_id})
        user = User(
            company=company,
            name=name.strip(),
            email=email.strip().lower(),
            profile=profile,
            connection_id=connection_id,
            is_super=is_super,
        )
        user.set_password(password)
        _save(user)
        user.queues.set(queue_ids)
        record(
            action="user.created",
            actor=actor,
            company_id=company.pk,
            target=user,
            detail={"email": user.email, "profile": user.profile},
            ip_address=ip_address,
        )
        events.user_changed(user, "create")
    return user


def _changed_fields(user: User, changes: Mapping[str, Any]) -> set[str]:
    """Return which of the sent fields differ from the stored row."""
    changed = {
        name
        for name in ("name", "email", "profile", "connection_id")
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
    """Change a user of the actor's company, judging only what differs from the stored row.

    `changes` may hold name, email, password (empty: unchanged), profile, connection_id and
    queue_ids. A new password ends the user's sessions; the one that set the own goes on with the
    new refresh token. A new own e-mail asks for `current_password`; so does a new own password
    where there is a second factor, and without one it is checked where it is given. Who changed
    the own password or e-mail is told so, in `language`, at the address that was theirs before.
    Raises UserNotFound, the refusals of `guards`, EmailTaken, CurrentPasswordMissing,
    WrongPassword, TooManyAttempts after ten of those, and InvalidInput for a foreign queue or
    connection.
    """
    refresh_token = ""
    if "email" in changes:
        changes = {**changes, "email": changes["email"].strip().lower()}
    is_own = actor.pk == user_id
    is_proven = is_own and _prove_owner(actor, changes, current_password, ip_address)
    with transaction.atomic():
        # The row that is judged must be the row that is changed.
        User.objects.for_company(actor.company_id).select_for_update().filter(pk=user_id).first()
        user = get_user(company_id=actor.company_id, user_id=user_id)
        changed = _changed_fields(user, changes)
        judge_change(actor, user, changed)
        if not changed:
            return ChangedUser(user)
        if is_own and not is_proven and _asks_for_password(user, changed):
            raise CurrentPasswordMissing
        _check_links(user.company_id, {name: changes[name] for name in changed})
        old_profile, old_email = user.profile, user.email
        for name in changed - {"password", "queue_ids"}:
            setattr(user, name, changes[name])
        if "password" in changed:
            user.set_password(changes["password"])
        _save(user)
        if "queue_ids" in changed:
            user.queues.set(changes["queue_ids"])
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
            tell_owner(user, old_email, changed, ip_address, language)
        if "profile" in changed:
            record(
                action="user.profile_changed",
                actor=actor,
                company_id=user.company_id,
                target=user,
                detail={"from": old_profile, "to": user.profile},
                ip_address=ip_address,
            )
        user = get_user(company_id=actor.company_id, user_id=user_id)
        events.user_changed(user, "update")
    return ChangedUser(user, refresh_token)


def _prove_owner(
    actor: User,
    changes: Mapping[str, Any],
    current_password: str | None,
    ip_address: str | None,
) -> bool:
    """Check the present password where it is given with a new own e-mail or password."""
    if current_password is None:
        return False
    user = get_user(company_id=actor.company_id, user_id=actor.pk)
    if not _changed_fields(user, changes) & {"email", "password"}:
        return False
    check_current_password(user, current_password, ip_address=ip_address)
    return True


def _asks_for_password(user: User, changed: set[str]) -> bool:
    """Tell whether a change of the own account needs the present password."""
    if "email" in changed:
        return True
    # Older browsers have no field for it; who uses one leaves the second factor off.
    return "password" in changed and authenticator_of(user) is not None


def choose_after_resolve(*, user: User, opens_next: bool) -> None:
    """Note whether resolving leads the user to the next conversation, or to the list.

    Nobody else is told: an account has one session, and the next one brings it.
    """
    User.objects.filter(pk=user.pk).update(opens_next=opens_next)


def tell_owner(
    user: User, old_email: str, changed: Iterable[str], ip_address: str | None, language: str
) -> None:
    """Tell the person of a new own password or e-mail, where no thief of the session reads it.

    `old_email` is the address before the change: the new one may be the thief's.
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
    """Let a user of the actor's company in by password alone, as who lost the telephone asks for.

    The own one goes by the own password (`two_factor.disable`). Raises UserNotFound and the
    refusals of `guards`.
    """
    user = get_user(company_id=actor.company_id, user_id=user_id)
    if user.pk == actor.pk:
        raise OwnAccount
    judge_change(actor, user, {"password"})
    two_factor.take_away(user=user, actor=actor, ip_address=ip_address)


def delete_user(*, actor: User, user_id: int, ip_address: str | None = None) -> None:
    """Delete a user of the actor's company; what they held is let go by `user_removal`
    and `user_deletion`.

    Raises UserNotFound and the refusals of `guards`.
    """
    with transaction.atomic():
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
        user.delete()
        events.user_deleted(company_id=actor.company_id, user_id=user_id)


def set_active(*, user: User, is_active: bool, actor: User | None) -> None:
    """Switch an account on or off; switched off, it is signed out and holds nothing any more."""
    with transaction.atomic():
        # Switched on again it has nothing to do with tokens from before.
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
