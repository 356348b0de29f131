"""Deletion of a company with its rows and files (rules/companies §6)."""

import logging
import time
from functools import cache

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models, transaction
from django.utils import timezone

from apps.audit.services import record
from apps.common.errors import DomainError
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.common.media import delete_folder
from apps.common.wakeups import wake
from apps.companies import events
from apps.companies.models import SUPER_COMPANY_ID, Company, CompanyRemoval
from apps.companies.services.companies import CompanyNotFound

logger = logging.getLogger(__name__)

REMOVALS = LeasedWork(CompanyRemoval, "REMOVAL_LEASE_SECONDS")
BATCH = 500
# A step ends after this time, well within the lease, so that other companies' removals run too.
STEP_SECONDS = 20.0


class SuperCompanyStays(DomainError):
    """The company that runs the service can't be deleted."""

    status = 403
    code = "ERR_CANNOT_DELETE_SUPER_COMPANY"
    message = "A empresa principal não pode ser excluída."


def delete_company(
    *, company_id: int, actor: AbstractBaseUser | None, ip_address: str | None = None
) -> None:
    """Delete a company: its users are signed out at once, a job deletes its rows and files.

    Raises CompanyNotFound and SuperCompanyStays.
    """
    if company_id == SUPER_COMPANY_ID:
        raise SuperCompanyStays
    with transaction.atomic():
        found = Company.objects.select_for_update(no_key=True)
        company = found.filter(pk=company_id, deleted_at=None).first()
        if company is None:
            raise CompanyNotFound
        record(
            action="company.deleted",
            actor=actor,
            company_id=SUPER_COMPANY_ID,
            target=company,
            detail={"name": company.name, "email": company.email},
            ip_address=ip_address,
        )
        company.deleted_at = timezone.now()
        company.is_enabled = False
        # Frees the name for another company while the job runs.
        company.name = f"{company.name[:70]} (excluída, {company.pk})"
        company.save(update_fields=["deleted_at", "is_enabled", "name", "updated_at"])
        CompanyRemoval.objects.create(company=company)
        events.company_changed(company.pk)
        wake("companies.remove")


def remove_due(*, limit: int) -> int:
    """Claim up to `limit` removals and run one step of each; returns the number of claimed rows.

    The next step continues where this one stopped. Never call it inside a transaction.
    """
    with REMOVALS.claimed(limit) as claim:
        for removal in claim.rows():
            _take_away_some(removal, claim)
        return len(claim.ids)


def _take_away_some(removal: CompanyRemoval, claim: Claim[CompanyRemoval]) -> None:
    end = time.monotonic() + STEP_SECONDS
    now = timezone.now()
    try:
        removal.begin(DEADLY_ATTEMPTS)
        if all(_empty(model, name, removal.company_id, end) for model, name in _tables()):
            delete_folder(str(removal.company_id))
            with transaction.atomic():
                removal.company.delete()
        else:
            claim.retry_later(removal, now, "", attempts=0)
    except WorkerDied as death:
        claim.put_off(removal, death)
    except Exception as error:  # any error: the removal must be retried until it is complete
        logger.exception("Company %s could not be removed", removal.company_id)
        claim.try_again(removal, str(error))


def _empty(model: type[models.Model], name: str, company_id: int, end: float) -> bool:
    """Delete a company's rows of one table in short transactions; returns False when the time is
    up.
    """
    rows = model._base_manager.filter(**{name: company_id}).order_by("pk")
    while ids := list(rows.values_list("pk", flat=True)[:BATCH]):
        if time.monotonic() > end:
            return False
        with transaction.atomic():
            model._base_manager.filter(pk__in=ids).delete()
    return True


# Rows that refer so go with those that they refer to, or must be gone before them.
_BEFORE = (models.CASCADE, models.RESTRICT)


@cache
def _tables() -> list[tuple[type[models.Model], str]]:
    """Return the models with rows of a company, and their columns for it, referring models first.

    Then no deletion cascades to rows beyond its own batch.
    """
    columns: dict[type[models.Model], str] = {
        relation.related_model: relation.field.name
        for relation in Company._meta.related_objects
        if relation.on_delete is models.CASCADE
        and isinstance(relation.related_model, type)
        and relation.related_model is not CompanyRemoval
    }
    ordered: list[type[models.Model]] = []

    def visit(model: type[models.Model], way: frozenset[type[models.Model]]) -> None:
        if model in ordered or model in way:
            return
        for relation in model._meta.related_objects:
            if relation.related_model in columns and relation.on_delete in _BEFORE:
                visit(relation.related_model, way | {model})
        ordered.append(model)

    for model in columns:
        visit(model, frozenset())
    return [(model, columns[model]) for model in ordered]
