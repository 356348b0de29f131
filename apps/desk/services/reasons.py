"""The company's reasons to pause (rules/desk §5)."""

from django.db import IntegrityError, transaction

from apps.common.errors import DomainError, NotFound
from apps.desk.models import PauseReason

MOST_REASONS = 50


class ReasonNotFound(NotFound):
    """The company has no such reason to pause."""

    message = "Motivo não encontrado."


class ReasonTaken(DomainError):
    code = "ERR_PAUSE_REASON_EXISTS"
    message = "Já existe um motivo com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class TooManyReasons(DomainError):
    code = "ERR_TOO_MANY_PAUSE_REASONS"
    message = f"Uma empresa tem no máximo {MOST_REASONS} motivos de pausa."


def save_reason(
    *, company_id: int, name: str, minutes: int, reason_id: int | None = None
) -> PauseReason:
    """Create a reason to pause, or change one. Raises ReasonNotFound, ReasonTaken, TooManyReasons.

    Pauses keep the name that they were begun with.
    """
    reasons = PauseReason.objects.for_company(company_id)
    with transaction.atomic():
        reason = PauseReason(company_id=company_id)
        if reason_id is not None:
            reason = get_reason(company_id=company_id, reason_id=reason_id)
        elif reasons.count() >= MOST_REASONS:
            raise TooManyReasons
        if reasons.filter(name__iexact=name.strip()).exclude(pk=reason.pk).exists():
            raise ReasonTaken
        reason.name, reason.minutes = name.strip(), minutes
        try:
            with transaction.atomic():
                reason.save()
        except IntegrityError:
            # Of two at once.
            raise ReasonTaken from None
        return reason


def get_reason(*, company_id: int, reason_id: int) -> PauseReason:
    reason = PauseReason.objects.for_company(company_id).filter(pk=reason_id).first()
    if reason is None:
        raise ReasonNotFound
    return reason


def delete_reason(*, company_id: int, reason_id: int) -> None:
    """Delete a reason; raises ReasonNotFound."""
    get_reason(company_id=company_id, reason_id=reason_id).delete()
