"""Rules of file lists (rules/library §5)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.media import delete_media, store_media
from apps.common.registry import Hook
from apps.library import events
from apps.library.models import FileList, FileListItem

# Called in the same transaction before a list, or the last of its files, is deleted; a receiver may
# raise a DomainError to refuse.
file_list_removal: Hook[[FileList]] = Hook()

UNKNOWN_ITEM = "Este arquivo não está mais na lista. Abra a lista de novo."


class FileListNotFound(NotFound):
    """The company has no such file list."""

    code = "ERR_NO_FILE_LIST_FOUND"
    message = "Lista de arquivos não encontrada."


class FileListChanged(DomainError):
    """The option was deleted from the list while its file was uploaded."""

    status = 409
    code = "ERR_FILE_LIST_CHANGED"
    message = "A lista mudou enquanto o arquivo era enviado. Abra a lista de novo."


def get_file_list(*, user: User, file_list_id: int) -> FileList:
    """Return a list of the user's company with its files; raises FileListNotFound."""
    rows = FileList.objects.for_company(user.company_id).prefetch_related("items")
    found = rows.filter(pk=file_list_id).first()
    if found is None:
        raise FileListNotFound
    return found


@transaction.atomic
def create_file_list(*, user: User, fields: Mapping[str, Any]) -> FileList:
    """Create a list from `name`, `message` and `options`; the files are uploaded afterwards."""
    files = FileList.objects.create(
        company_id=user.company_id, user=user.person, name=fields["name"], message=fields["message"]
    )
    _arrange(files, fields.get("options", ()))
    made = get_file_list(user=user, file_list_id=files.pk)
    events.file_list_created(made)
    return made


@transaction.atomic
def update_file_list(*, user: User, file_list_id: int, fields: Mapping[str, Any]) -> FileList:
    """Change the given fields.

    `options` replaces all options of the list, in this order; those left out are deleted with their
    files. An id that the list does not have is refused at its field. Raises FileListNotFound and,
    if no file would be left, what `file_list_removal` raises.
    """
    files = _locked(user, file_list_id)
    for name in {"name", "message"} & fields.keys():
        setattr(files, name, fields[name])
    files.save()
    if "options" in fields:
        _arrange(files, fields["options"])
    changed = get_file_list(user=user, file_list_id=file_list_id)
    events.file_list_updated(changed)
    return changed


@transaction.atomic
def delete_file_list(*, user: User, file_list_id: int, ip_address: str | None = None) -> None:
    """Delete a list with its files, audited.

    Sent messages show copies, which stay. Raises FileListNotFound, and what `file_list_removal`
    raises.
    """
    files = _locked(user, file_list_id)
    file_list_removal(files)
    for item in files.items.all():
        _forget(item)
    record(
        action="file_list.deleted",
        actor=user,
        company_id=user.company_id,
        target=files,
        detail={"name": files.name},
        ip_address=ip_address,
    )
    files.delete()
    events.file_list_deleted(company_id=user.company_id, file_list_id=file_list_id)


def upload_files(
    *,
    user: User,
    file_list_id: int,
    item_ids: Sequence[int],
    files: Sequence[UploadedFile[Any]],
    names: Sequence[str] = (),
) -> FileList:
    """Store each file at the option with the same index, replacing its file; all of them or none.

    Raises FileListNotFound, InvalidInput at the field of an unknown option, FileListChanged for an
    option that was deleted meanwhile, MediaTooLarge and MediaTypeRefused.
    """
    found = get_file_list(user=user, file_list_id=file_list_id)
    known = {item.pk for item in found.items.all()}
    for index, item_id in enumerate(item_ids):
        if item_id not in known:
            field = {f"id.{index}": [UNKNOWN_ITEM]}
            raise InvalidInput(UNKNOWN_ITEM, fields=field, rule="does_not_exist")
    stored = []
    try:
        for file in files:
            stored.append(
                store_media(
                    company_id=user.company_id,
                    content=file,
                    name=file.name or "",
                    mime=file.content_type or "",
                )
            )
        with transaction.atomic():
            locked = _locked(user, file_list_id)
            items = {item.pk: item for item in locked.items.all()}
            for index, (item_id, media) in enumerate(zip(item_ids, stored, strict=True)):
                item = items.get(item_id)
                if item is None:
                    raise FileListChanged
                _forget(item)
                item.put_media(media)
                item.name = (names[index : index + 1] or [""])[0] or item.name or media.name
                item.save()
            locked.save()
            changed = get_file_list(user=user, file_list_id=file_list_id)
            events.file_list_updated(changed)
    except BaseException:
        for media in stored:
            delete_media(media.path)
        raise
    return changed


def _locked(user: User, file_list_id: int) -> FileList:
    # Without the lock, concurrent changes could leave a stored file that no row names.
    rows = FileList.objects.for_company(user.company_id).select_for_update()
    files = rows.filter(pk=file_list_id).first()
    if files is None:
        raise FileListNotFound
    return files


def _arrange(files: FileList, options: Sequence[Mapping[str, Any]]) -> None:
    """Replace a list's items by the options, in this order."""
    items = {item.pk: item for item in files.items.all()}
    filled = {pk for pk, item in items.items() if item.media_path}
    for position, option in enumerate(options):
        item_id = option.get("id")
        if item_id is None:
            item = FileListItem(file_list=files)
        elif item_id in items:
            item = items.pop(item_id)
        else:
            field = {f"options.{position}.id": [UNKNOWN_ITEM]}
            raise InvalidInput(UNKNOWN_ITEM, fields=field, rule="does_not_exist")
        item.position, item.name = position, option.get("name", "").strip() or item.name
        item.save()
    if filled and filled <= items.keys():
        file_list_removal(files)
    for item in items.values():
        _forget(item)
        item.delete()


def _forget(item: FileListItem) -> None:
    if item.media_path:
        transaction.on_commit(partial(delete_media, item.media_path), robust=True)
