"""Rows of work are claimed and closed by the verbs of `apps.common.leases` alone."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.sources

APPS = Path(__file__).resolve().parent.parent / "apps"
COLUMNS = ("lease_expires_at", "owner=", ".owner ")


def test_no_other_module_touches_a_lease() -> None:
    touching = {
        str(path.relative_to(APPS))
        for path in APPS.glob("**/*.py")
        if not {"tests", "migrations"} & set(path.parts)
        and any(column in path.read_text() for column in COLUMNS)
    }
    assert touching == {"common/leases.py"}
