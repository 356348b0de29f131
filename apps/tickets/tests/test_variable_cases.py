"""The table that the browser's variables are tested with holds for the server's too."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings

from apps.tickets.services.outbox.variables import greeting_at, render, variables_for

CASES: dict[str, Any] = json.loads(
    (Path(settings.BASE_DIR) / "frontend/src/lib/variables.cases.json").read_text()
)


@pytest.mark.parametrize(("hour", "greeting"), CASES["greetings"])
def test_the_greeting_follows_the_hour(hour: int, greeting: str) -> None:
    assert greeting_at(hour) == greeting


@pytest.mark.parametrize("case", CASES["texts"], ids=lambda case: case["text"])
def test_a_text_is_filled_in(case: dict[str, str]) -> None:
    now = datetime.fromisoformat(case["now"]).astimezone(ZoneInfo("America/Sao_Paulo"))
    values = variables_for(name=case["name"], protocol=case["protocol"], now=now)
    assert render(case["text"], values) == case["filled"]
