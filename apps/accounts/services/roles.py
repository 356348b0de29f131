"""A company's own roles, and what keeps somebody who may manage users (rules/accounts §2)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction

from apps.accounts import events
from apps.accounts.models import SUPERVISOR, Profile, Role, User
from apps.accounts.permissions import NEEDS, Permission
from apps.accounts.queries import users_who_may
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.companies.models import Company

# More would be a mistake of a program.
MOST_ROLES = 50


class RoleNotFound(NotFound):
    """The company has no such role."""

    code = "ERR_NO_ROLE_FOUND"
    message = "Papel não encontrado."


class RoleExists(DomainError):
    status = 409
    code = "ERR_ROLE_EXISTS"
    message = "Já existe um papel com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class RoleInUse(DomainError):
    """Somebody has the role; the answer says how many."""

    status = 409
    code = "ERR_ROLE_IN_USE"
    message = "Este papel ainda é de alguém. Dê outro papel a essas pessoas primeiro."

    def __init__(self, users: int) -> None:
        super().__init__(extra={"users": users})


class RoleLimitReached(DomainError):
    status = 409
    code = "ERR_ROLE_LIMIT"
    message = f"Uma empresa pode ter até {MOST_ROLES} papéis próprios."


class GrantsMore(DomainError):
    """Nobody grants, changes or takes away a permission that they lack; `permissions` names it."""

    status = 403
    code = "ERR_GRANTS_MORE"
    message = "Você não pode dar nem tirar uma permissão que você mesmo não tem."

    def __init__(self, lacking: Iterable[Permission]) -> None:
        super().__init__(extra={"permissions": sorted(str(each) for each in lacking)})


class LastManager(DomainError):
    """After the change nobody in the company could manage users."""

    status = 409
    code = "ERR_LAST_MANAGER"
    message = (
        "Ninguém mais poderia gerenciar os usuários da empresa. Dê essa permissão a outra pessoa"
        " primeiro."
    )


class LastAdmin(DomainError):
    """After the change the company would have no admin.

    What nobody has any more nobody could grant again.
    """

    status = 409
    code = "ERR_LAST_ADMIN"
    message = "A empresa ficaria sem administrador. Torne outra pessoa administradora primeiro."


def get_role(*, company_id: int, role_id: int) -> Role:
    """Return a company's own role; raises RoleNotFound."""
    role: Role | None = Role.objects.for_company(company_id).filter(pk=role_id).first()
    if role is None:
        raise RoleNotFound
    return role


def check_grants(actor: User | None, *sets: frozenset[Permission]) -> None:
    """Raise GrantsMore if the actor lacks a permission of the sets; the system lacks none."""
    if actor is None:
        return
    lacking = {each for granted in sets for each in granted - actor.granted}
    if lacking:
        raise GrantsMore(lacking)


def check_manager_stays(company_id: int, *, was_admin: bool = False) -> None:
    """Raise LastManager if no active user of the company may manage users any more.

    `was_admin` is for a change that takes the role `admin` from somebody: raises LastAdmin if no
    other active user has it. Call it after the change, in its transaction, under `lock_roles`.
    """
    people = users_who_may(company_id, Permission.USERS)
    if was_admin and not people.filter(profile=Profile.ADMIN).exists():
        raise LastAdmin
    if not people.exists():
        raise LastManager


def lock_roles(company_id: int) -> None:
    """Let one change of roles of the company follow the other, until commit.

    Two people who take each other's role away would otherwise both see the other one stay.
    """
    Company.objects.select_for_update(no_key=True).filter(pk=company_id).first()


def _checked(permissions: Iterable[str]) -> frozenset[Permission]:
    """Return the permissions of a role to save; raises InvalidInput for one without its base."""
    chosen = frozenset(map(Permission, permissions))
    for each in chosen:
        if each in NEEDS and NEEDS[each] not in chosen:
            sentence = f"A permissão {each.value} precisa também de {NEEDS[each].value}."
            raise InvalidInput(sentence, fields={"permissions": [sentence]}, rule="required")
    return chosen


def _save(role: Role) -> None:
    """Save the role; raises RoleExists for the name of another one."""
    try:
        with transaction.atomic():
            role.save()
    except IntegrityError as error:
        raise RoleExists from error


def _record(action: str, actor: User, role: Role, ip_address: str | None, **detail: Any) -> None:
    record(
        action=action,
        actor=actor,
        company_id=role.company_id,
        target=role,
        detail={"name": role.name, **detail},
        ip_address=ip_address,
    )


def create_role(*, actor: User, fields: Mapping[str, Any], ip_address: str | None = None) -> Role:
    """Create a role of the actor's company; `fields` are name and permissions.

    Raises GrantsMore, RoleExists, RoleLimitReached and InvalidInput.
    """
    company_id = actor.company_id
    chosen = _checked(fields["permissions"])
    check_grants(actor, chosen)
    role = Role(company_id=company_id, name=fields["name"].strip(), permissions=sorted(chosen))
    with transaction.atomic():
        lock_roles(company_id)
        if Role.objects.for_company(company_id).count() >= MOST_ROLES:
            raise RoleLimitReached
        _save(role)
        _record("role.created", actor, role, ip_address, permissions=role.permissions)
        events.role_changed(role, "create")
    return role


def update_role(
    *, actor: User, role_id: int, fields: Mapping[str, Any], ip_address: str | None = None
) -> Role:
    """Change name or permissions of a role, at once for all who have it.

    Raises RoleNotFound, GrantsMore, RoleExists, LastManager and InvalidInput.
    """
    with transaction.atomic():
        lock_roles(actor.company_id)
        role = get_role(company_id=actor.company_id, role_id=role_id)
        before = role.granted
        chosen = _checked(fields["permissions"]) if "permissions" in fields else before
        name = fields["name"].strip() if "name" in fields else role.name
        if (name, chosen) == (role.name, before):
            return role
        check_grants(actor, before, chosen)
        role.name, role.permissions = name, sorted(chosen)
        _save(role)
        if Permission.USERS in before - chosen:
            check_manager_stays(actor.company_id)
        if chosen != before:
            _record(
                "role.changed",
                actor,
                role,
                ip_address,
                added=sorted(chosen - before),
                removed=sorted(before - chosen),
            )
        events.role_changed(role, "update")
    return role


def delete_role(*, actor: User, role_id: int, ip_address: str | None = None) -> None:
    """Delete a role that nobody has; raises RoleNotFound, GrantsMore and RoleInUse."""
    with transaction.atomic():
        lock_roles(actor.company_id)
        role = get_role(company_id=actor.company_id, role_id=role_id)
        check_grants(actor, role.granted)
        if users := User.objects.filter(role=role).count():
            raise RoleInUse(users)
        _record("role.deleted", actor, role, ip_address)
        role.delete()
        events.role_deleted(company_id=actor.company_id, role_id=role_id)


def role_fields(company_id: int, key: str) -> dict[str, Any]:
    """Return the columns of a user with the role of this key (`User.role_key`).

    Raises InvalidInput for a key that is no role of the company.
    """
    fields: dict[str, Any] = {"profile": Profile.USER, "is_supervisor": False, "role_id": None}
    if key in Profile.values:
        return {**fields, "profile": Profile(key)}
    if key == SUPERVISOR:
        return {**fields, "is_supervisor": True}
    found = Role.objects.for_company(company_id).filter(pk=int(key)) if _is_id(key) else None
    if found is None or not found.exists():
        sentence = "Este papel não existe nesta empresa."
        raise InvalidInput(sentence, fields={"role": [sentence]}, rule="does_not_exist")
    return {**fields, "role_id": int(key)}


def _is_id(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) <= 18


def with_role_fields(user: User, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with the columns of their role.

    Older browsers send `profile` alone, and unchanged: the role stays as it is then. Raises
    InvalidInput for a role of another company, and for a profile that is not the role's.
    """
    others = {name: value for name, value in changes.items() if name not in {"role", "profile"}}
    key, profile = changes.get("role"), changes.get("profile")
    if key is None and profile != user.profile:
        key = profile
    if key is None:
        return others
    fields = role_fields(user.company_id, key)
    if profile is not None and profile != fields["profile"]:
        sentence = "O perfil e o papel não combinam."
        raise InvalidInput(sentence, fields={"profile": [sentence]}, rule="invalid")
    return {**others, **fields}


def judge_role(actor: User | None, user: User, before: User) -> None:
    """Refuse the role that a user now has, in the transaction of the change; `before` is the row
    before it.

    The operator grants everything: no actor. Raises GrantsMore, LastAdmin and LastManager.
    """
    check_grants(actor, user.granted - before.granted)
    was_admin = before.is_admin and not user.is_admin
    if was_admin or Permission.USERS in before.granted - user.granted:
        check_manager_stays(user.company_id, was_admin=was_admin)


def check_queues_given(
    actor: User | None, queue_ids: Iterable[int], user: User | None = None
) -> None:
    """Raise GrantsMore for a new queue of a user whose tickets the actor may not see."""
    if actor is None or actor.may(Permission.SEE_ALL):
        return
    present = set(user.queues.values_list("pk", flat=True)) if user is not None else set()
    own = set(actor.queues.values_list("pk", flat=True))
    if set(queue_ids) - present - own:
        raise GrantsMore([Permission.SEE_ALL])


def named_role(user: User) -> dict[str, str]:
    """Return the name of an own role for the audit."""
    return {"role": user.own_role.name} if user.own_role else {}
