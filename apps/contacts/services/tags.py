"""Rules of tags (rules/contacts §8)."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.services import record
from apps.common.errors import DomainError, NoPermission, NotFound
from apps.common.registry import Hook
from apps.contacts import events
from apps.contacts.models import Tag
from apps.contacts.queries import tags_of
from apps.contacts.serializers.tags import DEFAULT_COLOR

# Called in the transaction that deletes a tag, while the tag is locked; may raise to refuse.
tag_removal: Hook[[Tag]] = Hook()


class TagNotFound(NotFound):
    """The company has no such tag."""

    code = "ERR_NO_TAG_FOUND"
    message = "Tag não encontrada."


class TagNameTaken(DomainError):
    """Another tag of the company has this name; case and accents are ignored."""

    code = "ERR_TAG_NAME_ALREADY_EXISTS"
    message = "Já existe uma tag com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class KanbanNotAllowed(NoPermission):
    """Only admins may choose the lanes of the board."""

    def __init__(self) -> None:
        sentence = "Só administradores podem escolher as colunas do Kanban."
        super().__init__(sentence, fields={"kanban": [sentence]})


def get_tag(*, company_id: int, tag_id: int, lock: bool = False) -> Tag:
    """Return a company's tag with its `tickets_count`; raises TagNotFound.

    `lock` locks its row until the commit.
    """
    tags = tags_of(company_id).filter(pk=tag_id)
    tag = (tags.select_for_update(no_key=True) if lock else tags).first()
    if tag is None:
        raise TagNotFound
    return tag


def _check_kanban(actor: User, *, stored: bool, wanted: bool) -> None:
    # Dialogs resend unchanged values.
    if wanted != stored and not actor.may(Permission.QUEUES):
        raise KanbanNotAllowed


def _save(tag: Tag) -> None:
    try:
        with transaction.atomic():
            tag.save()
    except IntegrityError as error:
        same = Tag.objects.for_company(tag.company_id).filter(search_text=tag.search_text)
        if same.exclude(pk=tag.pk).exists():
            raise TagNameTaken from error
        raise


@transaction.atomic
def create_tag(*, actor: User, fields: Mapping[str, Any]) -> Tag:
    """Create a tag of the actor's company; raises TagNameTaken, and KanbanNotAllowed for a user."""
    tag = Tag(company_id=actor.company_id, user=actor.person, color=DEFAULT_COLOR)
    _check_kanban(actor, stored=False, wanted=fields.get("is_kanban", False))
    for name, value in fields.items():
        setattr(tag, name, value)
    _save(tag)
    events.tag_created(tag)
    return tag


@transaction.atomic
def update_tag(*, actor: User, tag_id: int, fields: Mapping[str, Any]) -> Tag:
    """Change the given fields of a tag; raises as `create_tag`, and TagNotFound."""
    # Without the lock, saving could restore a tag that was deleted meanwhile.
    tag = get_tag(company_id=actor.company_id, tag_id=tag_id, lock=True)
    _check_kanban(actor, stored=tag.is_kanban, wanted=fields.get("is_kanban", tag.is_kanban))
    for name, value in fields.items():
        setattr(tag, name, value)
    _save(tag)
    events.tag_updated(tag)
    return tag


@transaction.atomic
def delete_tag(*, actor: User, tag_id: int, ip_address: str | None = None) -> None:
    """Delete a tag and remove it from all tickets, audited.

    Raises TagNotFound, and the refusals of `tag_removal`.
    """
    # Adding the tag to a ticket holds a key-share lock on the tag until the commit. Only this
    # stronger lock waits for it, so the tag is added either before the deletion or not at all.
    list(Tag.objects.for_company(actor.company_id).filter(pk=tag_id).select_for_update())
    tag = get_tag(company_id=actor.company_id, tag_id=tag_id)
    tag_removal(tag)
    record(
        action="tag.deleted",
        actor=actor,
        company_id=actor.company_id,
        target=tag,
        detail={"name": tag.name, "tickets": getattr(tag, "tickets_count", 0)},
        ip_address=ip_address,
    )
    tag.delete()
    events.tag_deleted(tag_id=tag_id, company_id=actor.company_id)
