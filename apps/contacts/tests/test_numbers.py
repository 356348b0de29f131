"""Numbers: digits, and the one form under which a number is unique."""

import pytest

from apps.contacts.numbers import (
    canonical_number,
    digits,
    lacks_country,
    named_lid,
    shown_number,
    typed_number,
    with_country,
)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("5511987654321", "5511987654321"),
        ("+55 (11) 98765-4321", "5511987654321"),
        ("+55 (011) 98765-4321", "5511987654321"),
        ("0055 11 98765 4321", "5511987654321"),
        ("+1 212 555 0100", "12125550100"),
        ("5511987654321@s.whatsapp.net", "5511987654321"),
        ("+abc", ""),
        ("", ""),
        ("٣٤٥", ""),
    ],
)
def test_digits_of_what_people_type(typed: str, plain: str) -> None:
    assert digits(typed) == plain


@pytest.mark.parametrize(
    ("number", "canonical"),
    [
        ("5511987654321", "5511987654321"),
        ("551187654321", "5511987654321"),
        ("558487654321", "5584987654321"),
        ("551132654321", "551132654321"),  # a landline has no ninth digit
        ("5400912345678", "5400912345678"),
        ("12125550100", "12125550100"),
        ("123456789012345@lid", "lid:123456789012345"),
        ("123456789012345:7@lid", "lid:123456789012345"),
        ("BR.13491208655302741918@lid", "lid:BR.13491208655302741918"),
        ("Y2FwaV9ncm91cDox@g.us", "Y2FwaV9ncm91cDox"),
        ("120363041234567890@g.us", "120363041234567890"),
        ("5511987654321-1419876543@g.us", "5511987654321-1419876543"),
    ],
)
def test_one_form_for_a_number(number: str, canonical: str) -> None:
    assert canonical_number(number) == canonical


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        (" +55 (11) 98765-4321 ", "+55 (11) 98765-4321"),
        ("5511987654321@s.whatsapp.net", "5511987654321"),
        ("5511987654321:12@c.us", "5511987654321"),
        ("5511987654321 ramal 2", ""),
        ("5511987654321@lid", ""),
        ("5511987654321-1419876543@g.us", ""),
        ("BR.A1B2C3D4E5F6G7H8", ""),
    ],
)
def test_what_is_no_number_has_no_digits_of_one(typed: str, number: str) -> None:
    assert typed_number(typed) == number


@pytest.mark.parametrize(
    ("typed", "lid"),
    [
        ("123456789012345@lid", "123456789012345"),
        ("123456789012345:7@lid", "123456789012345"),
        ("BR.1349", "BR.1349"),
        ("BR.ENT.1349@lid", "BR.ENT.1349"),
        ("123456789012345", ""),
        ("br.1349", ""),
        (f"BR.{'1' * 129}", ""),
        ("@lid", ""),
        ("1349@g.us", ""),
    ],
)
def test_a_lid_is_told_from_a_number(typed: str, lid: str) -> None:
    assert named_lid(typed) == lid


@pytest.mark.parametrize(
    ("typed", "country", "kept"),
    [
        ("11 98000-0200", "BR", "5511980000200"),
        ("(11) 98000-0100", "BR", "5511980000100"),
        ("1132654321", "BR", "551132654321"),
        ("011 3265-4321", "BR", "551132654321"),
        ("(011) 98000-0100", "BR", "5511980000100"),
        ("0800 123 4567", "BR", "558001234567"),
        ("5532654321", "BR", "555532654321"),  # area code 55 is Santa Maria
        ("55 99123-4567", "BR", "5555991234567"),
        ("1 212 555 0100", "BR", "5512125550100"),  # without '+' it counts as Brazilian
        ("4798765432", "BR", "554798765432"),
        ("912 345 6789", "US", "19123456789"),
        ("1 212 555 2368", "US", "12125552368"),
        ("030 12345678", "DE", "493012345678"),
        ("06 1234 5678", "IT", "390612345678"),
        ("11 4321-5678", "AR", "541143215678"),
    ],
)
def test_a_number_without_country_code_gets_the_companys(
    typed: str, country: str, kept: str
) -> None:
    assert lacks_country(typed)
    assert with_country(typed, country) == kept
    assert with_country(f"+{kept}", country) == kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("+1 212 555 0100", "12125550100"),
        ("(+47) 98765432", "4798765432"),
        ("0047 98765432", "4798765432"),
        ("4798765432@s.whatsapp.net", "4798765432"),
        ("5511980000200", "5511980000200"),
        ("551132654321", "551132654321"),
        ("351912345678", "351912345678"),
        ("980000200", "980000200"),
        ("11 98000-0200 ramal 2", ""),
        ("", ""),
    ],
)
def test_a_complete_number_and_one_of_other_lengths_stay(typed: str, kept: str) -> None:
    assert not lacks_country(typed)
    assert with_country(typed, "BR") == kept


def test_every_area_code_of_brazil_is_completed() -> None:
    for area in range(11, 100):
        if area % 10:
            for subscriber in ("32654321", "980000200"):
                assert with_country(f"{area}{subscriber}", "BR") == f"55{area}{subscriber}"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("5511980000200", "+55 11 98000-0200"),
        ("12125552368", "+1 212-555-2368"),
        ("000000000000000", "+000000000000000"),
    ],
)
def test_a_number_is_shown_as_people_write_it(number: str, shown: str) -> None:
    assert shown_number(number) == shown
