"""The upload of a spreadsheet, and the report of its refused rows (rules/contact-lists §2).

A worker reads the spreadsheet (`importing`).
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import ContactList, ContactListImport
from apps.campaigns.services.lists import forget_import, get_contact_list, locked_list
from apps.campaigns.sheets import NEEDS
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.common.errors import DomainError
from apps.common.media import fresh_files, store_media
from apps.common.sheets import check_file
from apps.common.wakeups import wake
from apps.contacts.sheet_layouts import SheetLayout

WHY = {
    "pt": {
        "ERR_ROW_NAME": "O nome precisa ter de 2 a 50 caracteres.",
        "ERR_ROW_NUMBER_MISSING": (
            "Falta o número. Se a célula tem uma fórmula, abra e salve a planilha no Excel."
        ),
        "ERR_ROW_NUMBER": "Informe o número com código do país e DDD, só com dígitos.",
        "ERR_ROW_EMAIL": "O e-mail não é válido.",
    },
    "en": {
        "ERR_ROW_NAME": "The name must have 2 to 50 characters.",
        "ERR_ROW_NUMBER_MISSING": (
            "The number is missing. If the cell has a formula, open and save the sheet in Excel."
        ),
        "ERR_ROW_NUMBER": "Give the number with country and area code, digits only.",
        "ERR_ROW_EMAIL": "The e-mail is not valid.",
    },
    "es": {
        "ERR_ROW_NAME": "El nombre debe tener de 2 a 50 caracteres.",
        "ERR_ROW_NUMBER_MISSING": (
            "Falta el número. Si la celda tiene una fórmula, abra y guarde la hoja en Excel."
        ),
        "ERR_ROW_NUMBER": "Indique el número con código de país y de área, solo con dígitos.",
        "ERR_ROW_EMAIL": "El correo no es válido.",
    },
}
HEADS = {
    "pt": ("linha", "nome", "numero", "email", "erro"),
    "en": ("row", "nome", "numero", "email", "error"),
    "es": ("fila", "nome", "numero", "email", "error"),
}


class ImportRunning(DomainError):
    """Another spreadsheet is being imported into the list."""

    status = 409
    code = "ERR_IMPORT_RUNNING"
    message = "Outra planilha está sendo importada nesta lista. Espere até que ela termine."


def upload_sheet(
    *,
    user: User,
    contact_list_id: int,
    upload: UploadedFile[Any],
    layout: SheetLayout | None = None,
    ip_address: str | None = None,
) -> ContactList:
    """Store a spreadsheet for a list and return the list with the import, audited.

    Without a layout its columns are guessed from its header. Raises ContactListNotFound,
    PlanFeatureMissing, SheetColumnsMissing, ImportRunning and what `check_file` raises.
    """
    get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
    require_feature(company_id=user.company_id, feature="campaigns")
    NEEDS.check(layout)
    check_file(upload, name=upload.name or "", size=upload.size or 0)
    with fresh_files() as files:
        # The name alone decides the type: browsers send many MIME types for spreadsheets.
        media = store_media(
            company_id=user.company_id, content=upload, name=upload.name or "", mime=""
        )
        files.append(media)
        with transaction.atomic():
            listed = locked_list(company_id=user.company_id, contact_list_id=contact_list_id)
            running = ContactListImport.objects.unfinished().filter(contact_list=listed)
            if running.exists():
                raise ImportRunning
            forget_import(listed)
            made = ContactListImport(
                company_id=user.company_id,
                contact_list=listed,
                user=user.person,
                layout=asdict(layout) if layout else None,
            )
            made.put_media(media)
            made.save()
            record(
                action="contact_list.imported",
                actor=user,
                company_id=user.company_id,
                target=listed,
                detail={"name": listed.name, "file": media.name},
                ip_address=ip_address,
            )
            told = get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
            events.contact_list_updated(told)
            wake("campaigns.import_lists")
        files.clear()
    return told


def faults_file(*, user: User, contact_list_id: int, language: str) -> Iterator[bytes]:
    """Return, in parts, a CSV file of the newest import's refused rows and the reasons.

    Corrected and saved as a spreadsheet, the rows can be imported again. Raises
    ContactListNotFound.
    """
    listed = get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
    return _parts(listed, language if language in WHY else "pt")


def _parts(listed: ContactList, language: str) -> Iterator[bytes]:
    yield csv_head(HEADS[language])
    newest = getattr(listed, "newest_import", None)
    if newest is None:
        return
    rows = []
    for fault in newest.faults.all():
        why = WHY[language].get(fault.code, fault.code)
        cells = (fault.name, fault.number, fault.email, why)
        rows.append([fault.row, *map(plain_cell, cells)])
    yield csv_rows(rows)
