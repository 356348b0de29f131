"""What was taken over (rules/moving-in §2), and companies' archives (rules/moving-out §1)."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class LegacySource(models.Model):
    """An installation of an older product, by the name that the operator gives it.

    `keeps_ids`: it was the first to come into an empty installation, so ids and uuids are kept.
    """

    name = models.CharField(max_length=100, unique=True)
    keeps_ids = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class LegacyTable(models.Model):
    """How far one step of the import has come.

    `name` is the older product's table, with `#` and a word for a second pass over it. `last_key`
    are the values of the last row's ordering columns. `step` counts the committed batches: a batch
    that does not find the step it began with belongs to a second, parallel run. `counts` and
    `notes` are of all runs: `{"read": 5, "made": 4}`, `{code: {"count": 2, "examples": ["…"]}}`.
    """

    source = models.ForeignKey(LegacySource, on_delete=models.CASCADE, related_name="tables")
    name = models.CharField(max_length=60)
    last_key = models.JSONField(null=True)
    step = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    notes = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "name"], name="one_row_per_legacy_table")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.source_id}"


class LegacyRow(models.Model):
    """A row of an older product, and the id of what it became here.

    `company_id` is the company of our row, none for a plan. There is no foreign key: what is
    deleted here later must not wait for this table.
    """

    source = models.ForeignKey(
        LegacySource, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    table = models.CharField(max_length=30)
    legacy_id = models.BigIntegerField()
    our_id = models.BigIntegerField()
    company_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "table", "legacy_id"], name="one_row_per_legacy_id"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.legacy_id}: {self.our_id}"


class CompanyArchive(LeasedRow):
    """The one archive of a company: requested, being written, or to be downloaded until it goes.

    `rows_total` are the rows that it will have, as counted at its begin; `rows_done` and
    `files_done` say how far it is. `tables` are its rows by table. `missing_files` were gone when
    they were to be copied. `path` is in the store, '' until the archive is complete.
    """

    wakes: ClassVar[str] = "movein.write_archives"
    also_due: ClassVar[str] = "work.expires_at < %(now)s"

    company = models.OneToOneField(
        "companies.Company", on_delete=models.CASCADE, related_name="archive"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    has_media = models.BooleanField(default=True)
    has_passwords = models.BooleanField(default=False)
    rows_total = models.PositiveBigIntegerField(default=0)
    rows_done = models.PositiveBigIntegerField(default=0)
    files_done = models.PositiveBigIntegerField(default=0)
    missing_files = models.PositiveBigIntegerField(default=0)
    tables = models.JSONField(default=dict)
    path = models.CharField(max_length=300, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    error_code = models.CharField(max_length=50, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, db_index=True)

    objects: ClassVar[LeasedQuerySet["CompanyArchive"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="archive_due")
        ]

    def __str__(self) -> str:
        return f"archive of company {self.company_id}"


class MoveInKind(models.TextChoices):
    """What is taken in: an installation of an older product, or a company's archive."""

    OLDER = "older", "Instalação de um produto anterior"
    COMPANY = "company", "Arquivo de uma empresa"


class MoveIn(LeasedRow):
    """An import from the Django admin: first a dry run, then, with `goes`, the import itself.

    The source is an `address` of a database, an uploaded file (`upload`, a path of the store), or
    a `file` of the operator's folder; `media_folder` has its files. Address and upload are emptied
    when the import is done, and when it was left for days. `report` is that of the last run
    (`Report.plain`).
    """

    wakes: ClassVar[str] = "movein.run_imports"
    also_due: ClassVar[str] = "work.expires_at < %(now)s"

    kind = models.CharField(max_length=10, choices=MoveInKind.choices, default=MoveInKind.OLDER)
    name = models.CharField(max_length=100)
    address = EncryptedTextField(blank=True)
    upload = models.CharField(max_length=300, blank=True)
    file = models.CharField(max_length=300, blank=True)
    media_folder = models.CharField(max_length=300, blank=True)
    goes = models.BooleanField(default=False)
    progress = models.CharField(max_length=200, blank=True)
    report = models.JSONField(null=True)
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, db_index=True)

    objects: ClassVar[LeasedQuerySet["MoveIn"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="move_in_due")
        ]

    def __str__(self) -> str:
        return self.name
