"""The older product's figures, and ours before, beside what this run has measured.

They were measured in November 2026 in another run: both products side by side, one PostgreSQL
cluster, the same 1.2M messages, three rounds in turn; CPU is server and database. So a ratio is a
look at the order of size, and no budget.

What a browser shows has no older product beside it: what is known is what use of ours showed
before that work, from the click to the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.report import Figure

CLIENTS = 8
CROWDED = f", CPU of server and database, {CLIENTS} clients"


WHEN = "measured in November 2026 in another run"


@dataclass(frozen=True)
class Call:
    """Milliseconds of the older product and of ours before.

    `bare` are those of psycopg and orjson in the same server. `measured` is the name of this run's
    figure.
    """

    name: str
    older: float
    ours: float
    measured: str
    bare: float | None = None


def _read(name: str, older: float, ours: float, bare: float | None = None) -> Call:
    return Call(name, older, ours, name + CROWDED, bare)


CALLS = (
    _read("open list", 83, 11.9, 2.1),
    _read("closed list", 238, 18.5),
    _read("board", 101, 19.3, 2.1),
    _read("messages", 22, 7.8, 1.3),
    _read("one ticket", 10.3, 4.5, 0.7),
    _read("contact search", 38, 11.5, 1.1),
    _read("text search, rare", 8600, 33),
    _read("text search, common", 10690, 52),
    _read("chat list", 10.0, 10.0, 1.75),
    _read("campaign report", 1651, 12.6, 3.3),
    # The best of the older product's and the worst of ours.
    Call("event to 1,000 sockets, p95", 216, 239, "1,000 sockets, one event, p95"),
)


@dataclass(frozen=True)
class Opening:
    """Milliseconds from the click to the text before, from the least to the most.

    `measured` is the beginning of the name of this run's median, `budget` the goal.
    """

    name: str
    least: float
    most: float
    measured: str
    budget: float


OPENINGS = (
    Opening("warm", 550, 1200, "click to text, warm, median", 100),
    # "1.4 s and more on a busy machine".
    Opening("cold", 1400, 1400, "click to text, cold, median", 400),
)


def table(figures: Sequence[Figure]) -> list[str]:
    """Return the lines of the table with the figures of this run, none where none was measured."""
    known = {figure.name: figure.value for figure in figures}
    lines = []
    for call in CALLS:
        now = known.get(call.measured)
        if now is None:
            continue
        then = f"{call.older / call.ours:.3g} ×"
        bare = known.get(f"{call.name}, the same bare", call.bare)
        lines.append(
            f"  {call.name:<30}{call.older:>9,g}{call.ours:>9g}{then:>9}{now:>9.3g}"
            f"{f'{_short(call.older / max(now, 0.001))} ×':>10}"
            f"{'' if bare is None else f'{bare:.2g}':>7}"
        )
    if not lines:
        return []
    head = f"  {'ms':<30}{'older':>9}{'ours':>9}{'ratio':>9}{'now':>9}{'ratio':>10}"
    return [f"Beside the older product, {WHEN}", "", f"{head}{'bare':>7}", *lines]


def openings(figures: Sequence[Figure]) -> list[str]:
    """Return the lines of the table of clicks before and now, none where none was measured."""
    lines = []
    for opening in OPENINGS:
        now = next((each.value for each in figures if each.name.startswith(opening.measured)), None)
        if now is None:
            continue
        then = f"{opening.least:g}"
        if opening.most > opening.least:
            then += f" to {opening.most:g}"
        lines.append(f"  {opening.name:<30}{then:>14}{now:>9.3g}{f'≤ {opening.budget:g}':>9}")
    if not lines:
        return []
    head = f"  {'ms':<30}{'before':>14}{'now':>9}{'goal':>9}"
    return ["From the click to the text", "", head, *lines]


def _short(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
