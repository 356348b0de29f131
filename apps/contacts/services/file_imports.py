"""Upload and cancellation of imports, and their file of errors (rules/contacts §12).

A worker reads the file (`file_importing`).
"""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.services import record
from apps.common.csv_files import BYTE_ORDER_MARK, csv_rows, plain_cell
from apps.common.errors import DomainError, NoPermission, NotFound
from apps.common.leases import LeaseState
from apps.common.media import delete_media, fresh_files, store_media
from apps.common.sheets import SheetTypeRefused, check_file
from apps.common.wakeups import wake
from apps.contacts import events
from apps.contacts.models import ContactImport
from apps.contacts.serializers.imports import CANCELED
from apps.contacts.services.file_importing import record_import
from apps.contacts.sheet_layouts import SheetLayout
from apps.contacts.sheets import FAULT_HEADS, NEEDS

OVER = (LeaseState.DONE, LeaseState.FAILED)
WHY = {
    "pt": {
        "ERR_ROW_CONTACT_NAME": "O nome pode ter no máximo 50 caracteres.",
        "ERR_ROW_NOBODY": (
            "Falta o número ou o userId. Se a célula tem uma fórmula, abra e salve o arquivo no "
            "Excel."
        ),
        "ERR_ROW_NUMBER": "Informe o número com código do país e DDD, só com dígitos.",
        "ERR_ROW_USER_ID": "O userId não é válido: só letras, dígitos e pontos.",
        "ERR_ROW_USERNAME": "O username pode ter no máximo 100 caracteres.",
        "ERR_ROW_EMAIL": "O e-mail não é válido.",
        "ERR_ROW_EXTRA": (
            "As informações adicionais são longas demais: cada uma tem até 5.000 caracteres, e "
            "todas juntas até 20.000."
        ),
        "ERR_ROW_GROUP": "Grupos não são importados: eles aparecem com a primeira mensagem.",
        "ERR_ROW_TWO_CONTACTS": (
            "O número e o userId são de dois contatos diferentes. Se são a mesma pessoa, mescle-os "
            "na página de contatos."
        ),
    },
    "en": {
        "ERR_ROW_CONTACT_NAME": "The name may have at most 50 characters.",
        "ERR_ROW_NOBODY": (
            "The number or the userId is missing. If the cell has a formula, open and save the "
            "file in Excel."
        ),
        "ERR_ROW_NUMBER": "Give the number with country and area code, digits only.",
        "ERR_ROW_USER_ID": "The userId is not valid: letters, digits and points only.",
        "ERR_ROW_USERNAME": "The username may have at most 100 characters.",
        "ERR_ROW_EMAIL": "The e-mail is not valid.",
        "ERR_ROW_EXTRA": (
            "The extra info is too long: each line has up to 5,000 characters, and all together "
            "up to 20,000."
        ),
        "ERR_ROW_GROUP": "Groups are not imported: they appear with their first message.",
        "ERR_ROW_TWO_CONTACTS": (
            "The number and the userId belong to two different contacts. If they are one person, "
            "merge them on the contacts page."
        ),
    },
    "es": {
        "ERR_ROW_CONTACT_NAME": "El nombre puede tener como máximo 50 caracteres.",
        "ERR_ROW_NOBODY": (
            "Falta el número o el userId. Si la celda tiene una fórmula, abra y guarde el archivo "
            "en Excel."
        ),
        "ERR_ROW_NUMBER": "Indique el número con código de país y de área, solo con dígitos.",
        "ERR_ROW_USER_ID": "El userId no es válido: solo letras, dígitos y puntos.",
        "ERR_ROW_USERNAME": "El username puede tener como máximo 100 caracteres.",
        "ERR_ROW_EMAIL": "El correo no es válido.",
        "ERR_ROW_EXTRA": (
            "La información adicional es demasiado larga: cada línea tiene hasta 5.000 caracteres, "
            "y todas juntas hasta 20.000."
        ),
        "ERR_ROW_GROUP": "Los grupos no se importan: aparecen con su primer mensaje.",
        "ERR_ROW_TWO_CONTACTS": (
            "El número y el userId son de dos contactos diferentes. Si son la misma persona, "
            "combínelos en la página de contactos."
        ),
    },
}


class ContactFileRefused(DomainError):
    """The file is neither a text with separators nor a spreadsheet."""

    status = 415
    code = "ERR_CONTACT_FILE_TYPE"
    message = "Envie um arquivo .csv, .xls ou .xlsx."


class ContactImportRunning(DomainError):
    status = 409
    code = "ERR_CONTACT_IMPORT_RUNNING"
    message = "Outro arquivo de contatos está sendo importado. Espere até que ele termine."


class ContactImportNotFound(NotFound):
    """The company has no such import, or a newer one replaced it."""

    code = "ERR_NO_CONTACT_IMPORT_FOUND"
    message = "Esta importação não existe mais."


def upload_contacts(
    *,
    user: User,
    upload: UploadedFile[Any],
    layout: SheetLayout | None = None,
    ip_address: str | None = None,
) -> ContactImport:
    """Store a file of contacts and return its import, audited; it replaces the last one.

    Without a layout its columns are guessed from its header. Raises ContactColumnsMissing,
    ContactFileRefused, ContactImportRunning and the errors of `check_file`.
    """
    NEEDS.check(layout)
    try:
        check_file(upload, name=upload.name or "", size=upload.size or 0)
    except SheetTypeRefused:
        raise ContactFileRefused from None
    company_id = user.company_id
    with fresh_files() as files:
        # The type is decided by the name, because browsers send many types for spreadsheets.
        media = store_media(company_id=company_id, content=upload, name=upload.name or "", mime="")
        files.append(media)
        with transaction.atomic():
            ContactImport.objects.for_company(company_id).filter(state__in=OVER).delete()
            made = ContactImport(
                company_id=company_id,
                user=user.person,
                layout=asdict(layout) if layout else None,
            )
            made.put_media(media)
            try:
                with transaction.atomic():
                    made.save()
            except IntegrityError:
                raise ContactImportRunning from None
            record(
                action="contacts.file_uploaded",
                actor=user,
                company_id=company_id,
                target=made,
                detail={"file": media.name},
                ip_address=ip_address,
            )
            events.contact_import_created(made)
            wake("contacts.import_files")
        files.clear()
    return made


def current_import(company_id: int) -> ContactImport | None:
    """Return a company's import, None if there is none."""
    return ContactImport.objects.for_company(company_id).select_related("user").first()


def get_import(*, company_id: int, import_id: int) -> ContactImport:
    """Return a company's import; raises ContactImportNotFound."""
    rows = ContactImport.objects.for_company(company_id).select_related("user")
    found = rows.filter(pk=import_id).first()
    if found is None:
        raise ContactImportNotFound
    return found


@transaction.atomic
def cancel_import(*, user: User, import_id: int, ip_address: str | None = None) -> ContactImport:
    """Stop an import, audited; stored contacts stay. A finished import is returned unchanged.

    Only the user who started it and admins may stop it. Raises NoPermission and
    ContactImportNotFound.
    """
    job = get_import(company_id=user.company_id, import_id=import_id)
    if not user.may(Permission.DELETE_CONTACTS) and job.user_id != user.pk:
        raise NoPermission
    running = ContactImport.objects.unfinished().filter(pk=job.pk)
    # The worker notices it at its next batch, because its claim is gone.
    if not running.fail("Canceled", error_code=CANCELED, media_path=""):
        return get_import(company_id=user.company_id, import_id=import_id)
    transaction.on_commit(partial(delete_media, job.media_path), robust=True)
    record(
        action="contacts.import_canceled",
        actor=user,
        company_id=user.company_id,
        target=job,
        detail={"file": job.media_name},
        ip_address=ip_address,
    )
    done = get_import(company_id=user.company_id, import_id=import_id)
    record_import(done)
    events.contact_import_updated(done)
    return done


def faults_file(*, user: User, import_id: int, language: str) -> Iterator[bytes]:
    """Return the parts of a CSV file of an import's faulty rows, with the reasons.

    It has the file's own columns, so that it can be corrected and imported again. Raises
    ContactImportNotFound.
    """
    job = get_import(company_id=user.company_id, import_id=import_id)
    return _parts(job, language if language in WHY else "pt")


def _parts(job: ContactImport, language: str) -> Iterator[bytes]:
    line, error = FAULT_HEADS[language]
    # Column names come from the uploaded file too, so they are escaped like its cells.
    rows: list[list[object]] = [[line, *map(plain_cell, job.columns), error]]
    for fault in job.faults.all():
        why = WHY[language].get(fault.code, fault.code)
        rows.append([fault.row, *map(plain_cell, fault.cells), plain_cell(why)])
    yield BYTE_ORDER_MARK.encode() + csv_rows(rows)
