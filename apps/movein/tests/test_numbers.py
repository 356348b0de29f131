"""Numbers, LIDs and groups as older products store them."""

import pytest

from apps.movein.mapping.numbers import address_of, group_address, looks_like_lid

NUMBER = "5511987650001"
LID = "214748364712345"


@pytest.mark.parametrize(
    ("row", "number", "canonical", "lid"),
    [
        ({"number": NUMBER}, NUMBER, NUMBER, ""),
        ({"number": "551187650001"}, "551187650001", "5511987650001", ""),
        ({"number": NUMBER, "lid": f"{LID}@lid"}, NUMBER, NUMBER, LID),
        ({"number": LID, "contactId": f"{LID}@lid"}, f"{LID}@lid", f"lid:{LID}", LID),
        (
            {"number": LID, "contactId": f"{LID}@lid", "phoneNumber": f"{NUMBER}@s.whatsapp.net"},
            NUMBER,
            NUMBER,
            LID,
        ),
        ({"number": f"{LID}@lid"}, f"{LID}@lid", f"lid:{LID}", LID),
        ({"number": NUMBER, "_lid": LID}, NUMBER, NUMBER, LID),
        ({"number": LID}, f"{LID}@lid", f"lid:{LID}", LID),
        ({"number": "", "contactId": f"{NUMBER}@s.whatsapp.net"}, NUMBER, NUMBER, ""),
        ({"number": "4930123456789"}, "4930123456789", "4930123456789", ""),
    ],
)
def test_an_address(row: dict[str, str], number: str, canonical: str, lid: str) -> None:
    found = address_of(row)
    assert (found.number, found.canonical, found.lid) == (number, canonical, lid)


def test_a_possible_number_is_a_lid_where_messages_came_from_it() -> None:
    # Germany has numbers of 15 digits; this one is not valid.
    row = {"number": "490000000000000"}
    assert looks_like_lid(row)
    assert address_of(row).number == "490000000000000"
    assert address_of(row, {"490000000000000"}).number == "490000000000000@lid"


def test_nobody_has_a_canonical_number_of_their_own() -> None:
    first, second = address_of({"number": "?"}), address_of({"number": None})
    assert first.number == second.number == ""
    assert first.canonical.startswith("none:") and first.canonical != second.canonical


@pytest.mark.parametrize(
    ("stored", "number"),
    [
        ("120363041234567890", "120363041234567890@g.us"),
        ("120363041234567890@g.us", "120363041234567890@g.us"),
        ("5511987650001-1400000000", "5511987650001-1400000000@g.us"),
        ("55119876500011400000000", "5511987650001-1400000000@g.us"),
    ],
)
def test_a_group(stored: str, number: str) -> None:
    assert group_address(stored).number == number
    assert group_address(stored).canonical == number.removesuffix("@g.us")
