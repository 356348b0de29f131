"""A pytest plugin that marks what `make test` leaves out, and what SQLite runs of it.

`deep` is what `tests.deep_suites` names, `sqlite` what `tests.sqlite_tests` does. Loaded by
`-p tests.selection`.
"""

from collections.abc import Iterable

import pytest

from tests.deep_suites import SUITES
from tests.main_ways import KEPT, main_ways
from tests.sqlite_tests import SQLITE

DEEP = tuple(name for suite in SUITES.values() if not suite.at_length for name in suite.tests)
STAYING = (*KEPT, *main_ways())


def is_named(nodeid: str, name: str) -> bool:
    """Tell whether a test, as pytest names it, is the one named or in the file or folder named."""
    rest = nodeid.removeprefix(name)
    return rest != nodeid and (rest[:1] in ("", ":", "[", "@") or name.endswith(("/", "_")))


def is_among(nodeid: str, names: Iterable[str]) -> bool:
    """Tell whether one of the names is the test's or leads to it."""
    return any(is_named(nodeid, name) for name in names)


def is_deep(nodeid: str) -> bool:
    """Tell whether a test runs in `make test-deep` alone."""
    return is_among(nodeid, DEEP) and not is_among(nodeid, STAYING)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, before `-m` selects by marks."""
    for item in items:
        if is_deep(item.nodeid):
            item.add_marker(pytest.mark.deep)
        if is_among(item.nodeid, SQLITE):
            item.add_marker(pytest.mark.sqlite)
