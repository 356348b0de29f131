"""Numbers: digits, and the one form under which a number is unique."""

import pytest

from apps.contacts.numbers import canonical_number, digits, named_lid, typed_number


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
