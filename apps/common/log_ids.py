"""The ids that every line of the log has while something is done: a request, a row of work."""

from contextvars import ContextVar

Ids = dict[str, int | str]

_NONE: Ids = {}
_ids: ContextVar[Ids] = ContextVar("log_ids", default=_NONE)


def begin(**ids: int | str | None) -> None:
    """Forget the ids of what was done before, in this thread or task, and note the first ones."""
    _ids.set(_known(ids))


def note(**ids: int | str | None) -> None:
    """Add ids to what is being done; those that are None are left out."""
    _ids.set(_ids.get() | _known(ids))


def present() -> Ids:
    """Return the ids of what is being done."""
    return _ids.get()


def _known(ids: dict[str, int | str | None]) -> Ids:
    return {name: value for name, value in ids.items() if value is not None}
