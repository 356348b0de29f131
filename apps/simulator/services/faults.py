from django.db import transaction
from django.db.models import F, Q

from apps.simulator.models import FaultKind, SimFault, SimNumber


def set_fault(
    *,
    kind: FaultKind,
    number: SimNumber | None = None,
    times: int | None = None,
    seconds: float = 0,
    is_late: bool = False,
) -> SimFault:
    """Set a fault; it replaces one of the same kind and number.

    With `times` None it lasts until cleared; `seconds` applies to slow calls only.
    """
    with transaction.atomic():
        SimFault.objects.filter(kind=kind, number=number).delete()
        return SimFault.objects.create(
            kind=kind, number=number, times_left=times, seconds=seconds, is_late=is_late
        )


def clear_faults(*, kind: str | None = None) -> None:
    """Clear all faults, or those of one kind."""
    faults = SimFault.objects.all()
    (faults.filter(kind=kind) if kind else faults).delete()


def is_set(kind: FaultKind, waba_id: str) -> bool:
    """Tell whether a fault applies to an account, without using it."""
    scope = Q(number__isnull=True) | Q(number__waba_id=waba_id)
    return SimFault.objects.filter(scope, kind=kind).exists()


def take_fault(kind: FaultKind, number: SimNumber | None) -> SimFault | None:
    """Return the fault that applies to this call, or None; it counts as used once."""
    scope = Q(number__isnull=True) if number is None else Q(number__isnull=True) | Q(number=number)
    for fault in SimFault.objects.filter(scope, kind=kind):
        if fault.times_left is None:
            return fault
        # The conditional update prevents two parallel calls from both using the last one.
        taken = SimFault.objects.filter(pk=fault.pk, times_left__gt=0).update(
            times_left=F("times_left") - 1
        )
        SimFault.objects.filter(pk=fault.pk, times_left=0).delete()
        if taken:
            return fault
    return None
