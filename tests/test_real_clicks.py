"""Journeys press what a person can press: no click goes round what lies on top."""

import re
from pathlib import Path

import pytest

from tests.product import ROOT

# What plays another program's part, or a finger's, is no click.
ROUND_ABOUT = re.compile(r"force=True|dispatch_event\(\s*\"click|\.click\(\)\"|\.click\(\)'")


@pytest.mark.parametrize(
    "journey", sorted((ROOT / "tests" / "journeys").glob("*.py")), ids=lambda path: path.stem
)
def test_a_journey_clicks_as_a_person_does(journey: Path) -> None:
    found = ROUND_ABOUT.findall(journey.read_text())
    assert not found, f"{journey.name} goes round what lies on top: {found}"
