from datetime import datetime

import pytest

from apps.tickets.services.outbox.variables import greeting_at, render, variables_for


@pytest.mark.parametrize(
    ("hour", "greeting"),
    [
        (0, "Boa madrugada"),
        (5, "Boa madrugada"),
        (6, "Bom dia"),
        (11, "Bom dia"),
        (12, "Boa tarde"),
        (17, "Boa tarde"),
        (18, "Boa noite"),
        (23, "Boa noite"),
    ],
)
def test_the_greeting_follows_the_hour(hour: int, greeting: str) -> None:
    assert greeting_at(hour) == greeting


def test_variables_are_filled_in_without_escaping_and_unknown_ones_are_empty() -> None:
    values = variables_for(
        name="Zé & Cia <Ltda>", protocol="20260105000007", now=datetime(2026, 1, 5, 8, 7)
    )
    text = "{{ms}}, {{firstName}} ({{ name }})! {{protocol}} {{hora}}{{nada}}."
    assert render(text, values) == "Bom dia, Zé (Zé & Cia <Ltda>)! 20260105000007 08:07."


def test_a_name_of_blanks_has_no_first_name() -> None:
    assert variables_for(name="  ", protocol="1", now=datetime(2026, 1, 5))["firstName"] == ""
