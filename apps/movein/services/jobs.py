"""Imports from the Django admin: a dry run, its report, and the import (rules/moving-in §10)."""

import logging
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.automation.clients.targets import ForbiddenTarget, UnknownHost, addresses_of
from apps.common.backups import private_folder
from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, LeaseState, WorkerDied
from apps.common.media import delete_media
from apps.common.wakeups import wake
from apps.companies.models import SUPER_COMPANY_ID
from apps.movein.models import MoveIn, MoveInKind
from apps.movein.services.archive_importing import import_archive
from apps.movein.services.importing import ImportRefused, import_source
from apps.movein.services.report import Report

logger = logging.getLogger(__name__)

MOVE_INS = LeasedWork(MoveIn, "MOVE_LEASE_SECONDS")
# A report is to be read before the import; then address and upload go.
DAYS_KEPT = 3
MAX_ATTEMPTS = 5
UPLOADS = "move-in"
LOOK_UP_SECONDS = 5.0
PORTS = {"postgres": 5432, "postgresql": 5432, "mysql": 3306, "mariadb": 3306}
# Other parameters of an address may name another host, or files of this machine.
PARAMETERS = {"sslmode", "charset"}


class MoveInRefused(DomainError):
    """The source can't be used, or the import is not at the point where this can be done."""

    code = "ERR_MOVE_IN"


class _ClaimLost(Exception):
    """The import was deleted, or another worker has taken it over."""


def operator_folder() -> Path:
    """Return the folder where the operator puts what is too large to be uploaded."""
    return Path(settings.DATA_DIR) / "move-in"


def offered_files() -> list[str]:
    """Return the files and folders of the operator's folder, by name."""
    folder = operator_folder()
    return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []


def check_address(address: str) -> None:
    """Refuse an address that is no database's, or leads into a network that is not allowed.

    ALLOW_PRIVATE_TARGETS names the private ones that are. Raises MoveInRefused.
    """
    try:
        parts = urlsplit(address)
        kind, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError as error:
        raise MoveInRefused("Este não é o endereço de um banco de dados.") from error
    if kind not in PORTS or not host:
        raise MoveInRefused("Informe postgres://… ou mysql://…, com o nome do servidor.")
    if {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)} - PARAMETERS:
        raise MoveInRefused("O endereço só pode ter os parâmetros sslmode e charset.")
    try:
        addresses_of(host, port or PORTS[kind], timeout=LOOK_UP_SECONDS)
    except ForbiddenTarget as error:
        raise MoveInRefused(
            f"{host} está em rede interna: inclua-o em ALLOW_PRIVATE_TARGETS para permiti-lo."
        ) from error
    except (UnknownHost, TimeoutError) as error:
        raise MoveInRefused(f"O servidor {host} não foi encontrado.") from error


def plan_move_in(
    *,
    move_in: MoveIn,
    upload: "UploadedFile[bytes] | None",
    actor: User,
    ip_address: str | None = None,
) -> None:
    """Store a new import and have its dry run done; raises MoveInRefused.

    `move_in` has the source, unless it is the upload.
    """
    if sum(map(bool, (upload, move_in.address, move_in.file))) != 1:
        raise MoveInRefused("Escolha um arquivo, um endereço ou um arquivo da pasta: só um deles.")
    if move_in.address:
        if move_in.kind == MoveInKind.COMPANY:
            raise MoveInRefused("O arquivo de uma empresa vem como arquivo, não por endereço.")
        check_address(move_in.address)
    move_in.user, move_in.goes = actor, False
    if upload is not None:
        move_in.upload = default_storage.save(f"{UPLOADS}/{secrets.token_urlsafe(18)}", upload)
    try:
        with transaction.atomic():
            move_in.save()
            _audit("move_in.planned", move_in, actor, ip_address)
            wake("movein.run_imports")
    except BaseException:
        delete_media(move_in.upload)
        raise


def go_move_in(*, move_in_id: int, actor: User, ip_address: str | None = None) -> None:
    """Have an import done whose dry run was; raises MoveInRefused."""
    with transaction.atomic():
        move_in = _found(move_in_id)
        is_over = move_in.state in {LeaseState.DONE, LeaseState.FAILED}
        if not is_over or move_in.report is None or not has_source(move_in):
            raise MoveInRefused("Só se importa depois do ensaio, e enquanto a origem está aqui.")
        rows = MoveIn.objects.filter(pk=move_in.pk)
        rows.start_over(timezone.now(), goes=True, progress="", last_error="", expires_at=None)
        _audit("move_in.started", move_in, actor, ip_address)
        wake("movein.run_imports")


def forget_move_in(*, move_in_id: int, actor: User, ip_address: str | None = None) -> None:
    """Delete an import with its upload; what came in stays."""
    with transaction.atomic():
        move_in = _found(move_in_id)
        _audit("move_in.forgotten", move_in, actor, ip_address)
        transaction.on_commit(partial(delete_media, move_in.upload), robust=True)
        move_in.delete()


def has_source(move_in: MoveIn) -> bool:
    return bool(move_in.address or move_in.upload or move_in.file)


def run_due(*, limit: int) -> int:
    """Claim up to `limit` imports and run them; returns the number of claimed rows.

    Sources that were left for days are forgotten. Never call it inside a transaction.
    """
    for move_in in MoveIn.objects.filter(expires_at__lt=timezone.now()):
        _forget_source(move_in)
    with MOVE_INS.claimed(limit) as claim:
        for move_in in claim.rows():
            try:
                _run(move_in, claim)
            except _ClaimLost:
                continue
            except WorkerDied as death:
                _end(move_in, claim, error=str(death))
            except DomainError as refusal:
                _end(move_in, claim, error=refusal.sentence)
            except Exception:
                logger.exception("Import %s failed by a fault of our own", move_in.pk)
                _end(move_in, claim, error="Erro interno; veja o registro do servidor.")
        return len(claim.ids)


def _run(move_in: MoveIn, claim: Claim[MoveIn]) -> None:
    move_in.begin(MAX_ATTEMPTS)

    def say(line: str) -> None:
        """Record how far the import is and renew its lease; raises _ClaimLost."""
        if not claim.renew(move_in, progress=line[:200]):
            raise _ClaimLost

    say("")
    report = _import(move_in, say)
    _end(move_in, claim, report=report)


def _import(move_in: MoveIn, say: Callable[[str], None]) -> Report:
    with _source(move_in) as source:
        if move_in.kind == MoveInKind.COMPANY:
            return import_archive(path=Path(source), goes=move_in.goes, say=say)
        return import_source(
            address=source,
            name=move_in.name,
            goes=move_in.goes,
            media=_inside(move_in.media_folder) if move_in.media_folder else None,
            say=say,
        )


@contextmanager
def _source(move_in: MoveIn) -> Iterator[str]:
    """Yield the address of the source, or the path of its file on this machine."""
    if move_in.address:
        check_address(move_in.address)
        yield move_in.address
        return
    if move_in.file:
        yield str(_inside(move_in.file))
        return
    with private_folder("move-in") as folder:
        path = folder / "source"
        try:
            with default_storage.open(move_in.upload, "rb") as source, path.open("wb") as target:
                shutil.copyfileobj(source, target, 1024 * 1024)
        except FileNotFoundError as error:
            raise ImportRefused("O arquivo enviado não está mais aqui: envie-o de novo.") from error
        yield str(path)


def _inside(name: str) -> Path:
    """Return a file or folder of the operator's folder; raises MoveInRefused for any other."""
    folder = operator_folder().resolve()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder) or not path.exists():
        raise MoveInRefused(f"{name} não está na pasta {folder}.")
    return path


def _end(
    move_in: MoveIn, claim: Claim[MoveIn], *, report: Report | None = None, error: str = ""
) -> None:
    """Record the outcome; the source of an import that is done goes with it."""
    told = report.plain("pt") if report else move_in.report
    if report is None:
        expires = timezone.now() + timedelta(days=DAYS_KEPT)
        claim.fail(move_in, error, report=told, expires_at=expires)
    elif move_in.goes:
        with transaction.atomic():
            if claim.finish(move_in, report=told, address="", upload="", expires_at=None):
                transaction.on_commit(partial(delete_media, move_in.upload), robust=True)
    else:
        expires = timezone.now() + timedelta(days=DAYS_KEPT)
        claim.finish(move_in, report=told, expires_at=expires)


def _forget_source(move_in: MoveIn) -> None:
    rows = MoveIn.objects.filter(pk=move_in.pk, expires_at=move_in.expires_at)
    with transaction.atomic():
        if rows.update(address="", upload="", expires_at=None):
            transaction.on_commit(partial(delete_media, move_in.upload), robust=True)


def _found(move_in_id: int) -> MoveIn:
    move_in = MoveIn.objects.select_for_update().filter(pk=move_in_id).first()
    if move_in is None:
        raise MoveInRefused("Esta importação não existe mais.")
    return move_in


def _audit(action: str, move_in: MoveIn, actor: User, ip_address: str | None) -> None:
    record(
        action=action,
        actor=actor,
        company_id=SUPER_COMPANY_ID,
        target=move_in,
        detail={"name": move_in.name, "kind": move_in.kind},
        ip_address=ip_address,
    )
