"""How a number looks to who may not see it in full; without a database."""

import pytest

from apps.common.masking import (
    is_masked,
    is_part_of_number,
    masked,
    masked_json,
    masked_name,
    masked_number,
)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("5511987654321", "5511•••••••21"),
        ("5511987654321@s.whatsapp.net", "5511•••••••21@s.whatsapp.net"),
        ("190", "•••"),
        ("", ""),
    ],
)
def test_the_middle_of_a_number_is_hidden(number: str, shown: str) -> None:
    assert masked_number(number) == shown
    assert is_masked(shown) is bool(number)


@pytest.mark.parametrize(
    ("term", "is_part"),
    [
        ("maria", False),
        ("551198", True),
        ("maria 5", True),
        ("1234567890 5511", True),
        ("5511987654321", False),
    ],
)
def test_fewer_than_ten_digits_may_be_a_part_of_a_number(term: str, is_part: bool) -> None:
    assert is_part_of_number(term) is is_part


def test_a_name_that_is_only_the_number_is_hidden_too() -> None:
    assert masked_name("+55 11 98765-4321", "5511987654321") == "5511•••••••21"
    assert masked_name("Maria", "5511987654321") == "Maria"
    assert masked_name("", "") == ""
    # Nothing beside it tells whose number it is.
    assert masked({"contactName": "+55 11 98765-4321"}) == {"contactName": "5511•••••••21"}
    assert masked({"name": "2026", "pollVotes": [{"name": "11987654321"}]}) == {
        "name": "2026",
        "pollVotes": [{"name": "1198•••••21"}],
    }


def test_numbers_of_contacts_are_masked_at_any_depth_and_those_of_connections_are_not() -> None:
    own = {"provider": "beta", "number": "551140000000", "contact": {"number": "5511987654321"}}
    shown = masked({"tickets": [{"contact": {"number": "5511987654321"}, "whatsapp": own}]})
    assert shown["tickets"][0]["contact"] == {"number": "5511•••••••21"}
    assert shown["tickets"][0]["whatsapp"]["number"] == "551140000000"
    assert shown["tickets"][0]["whatsapp"]["contact"] == {"number": "5511•••••••21"}


def test_the_ticket_within_a_refusal_is_masked() -> None:
    text = masked_json(b'{"error":"{\\"contact\\":{\\"number\\":\\"5511987654321\\"}}"}')
    assert b"98765" not in text
    assert masked({"error": "{oi"}) == {"error": "{oi"}
