"""How many service messages of a number are free in a month (rules/costs §3)."""

from datetime import date
from functools import cached_property

from apps.costs.models import ServiceAllowance


class Allowances:
    """All allowances, read at once because they are few, when the first one is asked for."""

    @cached_property
    def _rows(self) -> list[tuple[date, int]]:
        rows = ServiceAllowance.objects.order_by("-valid_from")
        return list(rows.values_list("valid_from", "messages"))

    def in_month(self, month: date) -> int | None:
        """Return the allowance of a month, given by its first day; None if there is none."""
        return next((count for start, count in self._rows if start <= month), None)
