"""What was measured during a run: how long things took, and what failed, with its moment."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

# After a fault the queues are worked off: what still waits then is counted with it.
AFTERMATH_SECONDS = 5.0


@dataclass
class Window:
    """One fault: from the blow until a message that came after it had reached a socket."""

    name: str
    began: float
    # The moment from which nothing is broken any more.
    mended: float = 0.0
    ended: float = 0.0

    def holds(self, start: float, end: float) -> bool:
        """Tell whether something between two moments may have felt it."""
        until = (self.ended or monotonic()) + AFTERMATH_SECONDS
        return start <= until and end >= self.began


class Record:
    """Times by what took them, as the moment of the beginning and seconds; errors likewise."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self._at: dict[str, array[float]] = defaultdict(lambda: array("d"))
        self._took: dict[str, array[float]] = defaultdict(lambda: array("f"))
        self.errors: list[tuple[str, str, float, float]] = []
        self.refused: Counter[str] = Counter()

    def note(self, name: str, start: float, end: float) -> None:
        self._at[name].append(start)
        self._took[name].append(end - start)

    def fail(self, name: str, kind: str, start: float) -> None:
        self.errors.append((name, kind, start, monotonic()))

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long a block takes, if it succeeds."""
        start = monotonic()
        yield
        self.note(name, start, monotonic())

    def names(self) -> list[str]:
        return sorted(self._at)

    def count(self, name: str) -> int:
        return len(self._at.get(name, ()))

    def milliseconds(self, name: str, window: Window | None = None) -> list[float]:
        """Return the times within a fault's window, or outside all of them."""
        found = []
        for start, took in zip(self._at.get(name, ()), self._took.get(name, ()), strict=True):
            if window is None:
                if not any(each.holds(start, start + took) for each in self.windows):
                    found.append(took * 1000)
            elif window.holds(start, start + took):
                found.append(took * 1000)
        return found

    def errors_by_window(self) -> dict[str, Counter[str]]:
        """Return the errors of each window, by what was asked and what came of it."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for name, kind, start, end in self.errors:
            holding = [each.name for each in self.windows if each.holds(start, end)]
            found[holding[-1] if holding else ""][f"{name}: {kind}"] += 1
        return found
