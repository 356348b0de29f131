"""Figures of one run and the table that shows them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured value; `budget` is the bound, `at_least` turns it round."""

    name: str
    value: float
    unit: str = ""
    budget: float | None = None
    at_least: bool = False

    @property
    def is_kept(self) -> bool:
        """Tell whether the value keeps its budget; without one it always does."""
        if self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget

    def line(self) -> str:
        """Return the figure as a line of the table."""
        bound = ""
        if self.budget is not None:
            bound = f"{'≥' if self.at_least else '≤'} {self.budget:g} {self.unit}"
            bound = f"{bound:<16}{'' if self.is_kept else 'MISSED'}"
        value = f"{self.value:,.2f}" if abs(self.value) < 100 else f"{self.value:,.0f}"
        return f"  {self.name:<58}{value:>10} {self.unit:<10}{bound}".rstrip()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
