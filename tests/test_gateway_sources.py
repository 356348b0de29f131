"""What the source files of the gateway say: its error codes, and what it loads."""

import re

import pytest

from apps.connections.providers.beta.client import FAULTS
from tests.product import ROOT

pytestmark = pytest.mark.sources

SOURCES = ROOT / "gateway" / "src"
IMPORT = re.compile(r"^(?:import|export) (?!type\b)[^;]*?from '([^']+)'", re.MULTILINE)
# The first ends the session's lease, the next three answer no command of the product. A logout with
# the last is not told to anyone, because the credentials are kept for a farewell.
NOT_TOLD = {
    *("ERR_SESSION_NOT_OPEN", "ERR_STALE_EPOCH", "ERR_SESSION_GONE"),
    *("ERR_METHOD", "ERR_TOO_LARGE"),
    "ERR_NOT_LOGGED_OUT",
}


def test_every_error_code_of_the_gateway_is_known() -> None:
    named = {
        code
        for file in SOURCES.glob("*.ts")
        for code in re.findall(r"'(ERR_[A-Z_]+)'", file.read_text())
    }
    assert named - NOT_TOLD <= set(FAULTS)
    assert "ERR_NO_ANSWER" in named


def loaded(file: str, found: set[str]) -> set[str]:
    """Return what a module loads, directly or through others, with `found`."""
    for name in IMPORT.findall((SOURCES / file).read_text()):
        if name not in found:
            found.add(name)
            if name.startswith("./"):
                loaded(name.replace(".js", ".ts"), found)
    return found


def test_a_gateway_without_a_session_does_not_load_baileys() -> None:
    assert "baileys" in loaded("session.ts", set())
    at_start = loaded("main.ts", set())
    assert "./leases.js" in at_start
    assert "baileys" not in at_start
