"""Rows of work are claimed and closed by the verbs of `apps.common.leases` alone."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.sources

APPS = Path(__file__).resolve().parent.parent / "apps"
COLUMNS = ("lease_expires_at", "owner=", ".owner ")
# The owner of a conversation is another column, which this module alone touches.
OF_TICKETS = "tickets/owners.py"


def test_no_other_module_touches_a_lease() -> None:
    touching = {
        str(path.relative_to(APPS))
        for path in APPS.glob("**/*.py")
        if not {"tests", "migrations"} & set(path.parts)
        and any(column in path.read_text() for column in COLUMNS)
    }
    assert touching - {OF_TICKETS} == {"common/leases.py"}
    assert "lease_expires_at" not in (APPS / OF_TICKETS).read_text()
