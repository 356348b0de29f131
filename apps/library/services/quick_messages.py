"""Rules of quick messages (rules/library §2).

Users write their own and may share them with the company (`geral`). A shared one can be changed by
its owner and by admins. A private one is visible to its owner only, not even to admins.
"""

from collections.abc import Mapping
from typing import Any

from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.db.models.lookups import Exact

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.common.errors import DomainError, InvalidInput, NoPermission, NotFound
from apps.common.media import delete_media, store_media
from apps.common.registry import Hook
from apps.companies.models import Company
from apps.library import events
from apps.library.models import QuickMessage

# Called in the transaction that deletes a quick message.
quick_message_removal: Hook[[QuickMessage]] = Hook()


class QuickMessageNotFound(NotFound):
    """The user may read no such quick message."""

    code = "ERR_NO_QUICK_MESSAGE_FOUND"
    message = "Resposta rápida não encontrada."


class ShortcodeTaken(DomainError):
    """Another quick message of the same owner, or of the company's programs, has this shortcode."""

    code = "ERR_SHORTCODE_ALREADY_EXISTS"
    message = "Já existe uma resposta rápida com este atalho."

    def __init__(self) -> None:
        super().__init__(fields={"shortcode": [self.message]})


def get_quick_message(*, user: User, quick_message_id: int) -> QuickMessage:
    """Return a quick message that the user may read; raises QuickMessageNotFound."""
    quick = QuickMessage.objects.visible_to(user).filter(pk=quick_message_id).first()
    if quick is None:
        raise QuickMessageNotFound
    return quick


def create_quick_message(*, user: User, fields: Mapping[str, Any]) -> QuickMessage:
    """Create a quick message of the user from model fields; raises ShortcodeTaken."""
    with transaction.atomic():
        quick = QuickMessage(company_id=user.company_id, user=user.person, **fields)
        _check_readers(user, quick)
        _check_shortcode(quick)
        _save(quick)
        events.quick_message_created(quick)
    return quick


def update_quick_message(
    *, user: User, quick_message_id: int, fields: Mapping[str, Any]
) -> QuickMessage:
    """Change the given fields; raises QuickMessageNotFound, NoPermission, ShortcodeTaken.

    A user who makes a shared quick message without an owner private becomes its owner.
    """
    with transaction.atomic():
        quick = _writable(user, quick_message_id, lock=True)
        rooms_before, shortcode = events.rooms_of(quick), quick.shortcode
        for name, value in fields.items():
            setattr(quick, name, value)
        if not quick.is_shared and quick.user_id is None:
            _check_readers(user, quick)
            quick.user = user
        if quick.shortcode != shortcode:
            _check_shortcode(quick)
        _save(quick)
        events.quick_message_updated(quick, rooms_before=rooms_before)
    return quick


def _check_readers(user: User, quick: QuickMessage) -> None:
    if user.person is None and not quick.is_shared:
        sentence = "Um programa só tem respostas rápidas da empresa. Envie geral: true."
        raise InvalidInput(sentence, fields={"geral": [sentence]}, rule="required")


def _check_shortcode(quick: QuickMessage) -> None:
    """Raise ShortcodeTaken if another one without an owner has the shortcode.

    The constraint of the database does not compare rows without an owner, and may not: those of
    users who were deleted keep their shortcodes. Programs wait for each other here.
    """
    if quick.user_id is not None:
        return
    Company.objects.select_for_update(no_key=True).get(pk=quick.company_id)
    same = QuickMessage.objects.for_company(quick.company_id).filter(
        Exact(Lower("shortcode"), Lower(Value(quick.shortcode))), user=None
    )
    if same.exclude(pk=quick.pk).exists():
        raise ShortcodeTaken


def delete_quick_message(*, user: User, quick_message_id: int) -> None:
    """Delete a quick message with its file; raises QuickMessageNotFound, NoPermission."""
    with transaction.atomic():
        quick = _writable(user, quick_message_id, lock=True)
        quick_message_removal(quick)
        quick.delete()
        events.quick_message_deleted(quick, quick_message_id=quick_message_id)
        _forget_file(quick.media_path)


def attach_file(
    *, user: User, quick_message_id: int, content: "File[bytes]", name: str, mime: str
) -> QuickMessage:
    """Give a quick message a file, replacing the one it has.

    Raises QuickMessageNotFound, NoPermission, MediaTooLarge, MediaTypeRefused.
    """
    _writable(user, quick_message_id)  # check permission before storing the file
    stored = store_media(company_id=user.company_id, content=content, name=name, mime=mime)
    try:
        with transaction.atomic():
            quick = _writable(user, quick_message_id, lock=True)
            _forget_file(quick.media_path)
            quick.put_media(stored)
            _save(quick)
            events.quick_message_updated(quick, rooms_before=events.rooms_of(quick))
    except BaseException:
        delete_media(stored.path)
        raise
    return quick


def remove_file(*, user: User, quick_message_id: int) -> QuickMessage:
    """Remove a quick message's file, if it has one; raises QuickMessageNotFound, NoPermission."""
    with transaction.atomic():
        quick = _writable(user, quick_message_id, lock=True)
        if quick.media_path:
            _forget_file(quick.media_path)
            quick.put_media(None)
            _save(quick)
            events.quick_message_updated(quick, rooms_before=events.rooms_of(quick))
    return quick


def forget_files_of(user: User) -> None:
    """Delete the files of a user's private quick messages after commit, if the account is gone.

    The rows are deleted with the account; a disabled account keeps both.
    """
    private = user.quick_messages.filter(is_shared=False).exclude(media_path="")
    paths, user_id = list(private.values_list("media_path", flat=True)), user.pk

    def forget() -> None:
        if not User.objects.filter(pk=user_id).exists():
            for path in paths:
                delete_media(path)

    if paths:
        transaction.on_commit(forget, robust=True)


def _writable(user: User, quick_message_id: int, *, lock: bool = False) -> QuickMessage:
    # Writers lock the row. Otherwise concurrent changes could leave a stored file that no row
    # names, restore a file that was replaced, or restore a deleted row.
    rows = QuickMessage.objects.visible_to(user).filter(pk=quick_message_id)
    quick = (rows.select_for_update() if lock else rows).first()
    if quick is None:
        raise QuickMessageNotFound
    if quick.user_id != user.pk and not user.may(Permission.QUEUES):
        raise NoPermission("Só quem criou esta resposta rápida ou um administrador pode alterá-la.")
    return quick


def _save(quick: QuickMessage) -> None:
    """Save; a violation of the unique constraint raises ShortcodeTaken."""
    try:
        with transaction.atomic():
            quick.save()
    except IntegrityError as error:
        if "one_shortcode_per_owner" in str(error):
            raise ShortcodeTaken from error
        raise


def _forget_file(path: str) -> None:
    if path:
        transaction.on_commit(lambda: delete_media(path), robust=True)
