"""Every main screen and dialog: what axe finds, where the focus is, and what a press meets."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.journeys import dialogs
from tests.journeys.axe import complaints
from tests.journeys.conftest import PHONE, ZOOMED, OpenPage
from tests.journeys.reach import covered, unreached
from tests.journeys.screens import SCREENS
from tests.product import ROOT, Product

# Seven days or emojis in a line leave a little less on the narrowest telephones.
FINGER_PX, SMALLEST_FINGER_PX = 44, 36
LAYOUT_SECONDS = 3.0
# As wide as the narrowest telephones.
SMALLEST: ViewportSize = {"width": 320, "height": 640}
FLOATING = "[role=listbox], [role=menu], [role=dialog]:not([aria-modal=true])"


def sideways(page: Page) -> list[int]:
    """Return the window's width and the page's, which is wider where something sticks out."""
    wide: list[int] = page.evaluate("[innerWidth, document.scrollingElement.scrollWidth]")
    return wide


def laid_out(look: Callable[[], object], wanted: object) -> object:
    """Return what a look finds, once the page has taken up its new size."""
    deadline = time.monotonic() + LAYOUT_SECONDS
    while (found := look()) != wanted and time.monotonic() < deadline:
        pass
    return found


@pytest.mark.parametrize("screen", SCREENS)
def test_wide_and_at_200_percent(page: Page, product: Product, screen: str) -> None:
    dialogs.watch(page)
    SCREENS[screen](page, product)
    assert dialogs.misplaced(page) == ""
    found = complaints(page)
    assert not found, "\n".join(found)
    wide = page.viewport_size
    assert wide
    opener, open_dialogs = dialogs.opener(page), dialogs.count(page)
    page.set_viewport_size(ZOOMED)
    assert laid_out(lambda: sideways(page), [ZOOMED["width"]] * 2) == [ZOOMED["width"]] * 2
    assert laid_out(lambda: covered(page), []) == []
    assert dialogs.count(page) == open_dialogs, "One went away as the screen grew narrow."
    page.set_viewport_size(wide)
    dialogs.leave(page, opener)


@pytest.mark.telephone
@pytest.mark.parametrize("screen", SCREENS)
def test_on_a_telephone(open_page: OpenPage, product: Product, screen: str) -> None:
    phone = open_page(**PHONE)
    SCREENS[screen](phone, product)
    assert phone.evaluate("matchMedia('(pointer: coarse)').matches")
    # A finger rests on nothing: the way here was pressed with a mouse, which shows what it is over.
    phone.mouse.move(0, 0)
    # What is wider than the screen has it pushed aside, and makes all dialogs too high.
    assert sideways(phone) == [PHONE["viewport"]["width"]] * 2
    found = unreached(phone, FINGER_PX) or complaints(phone)
    assert not found, "\n".join(found)
    width = SMALLEST["width"]
    # What floats stands where a wider screen had room, and no telephone grows narrower in a hand.
    if phone.locator(FLOATING).locator("visible=true").count():
        phone = open_page(**PHONE | {"viewport": SMALLEST})
        SCREENS[screen](phone, product)
        phone.mouse.move(0, 0)
        assert not unreached(phone, SMALLEST_FINGER_PX)
    else:
        phone.set_viewport_size(SMALLEST)
    assert laid_out(lambda: sideways(phone), [width] * 2) == [width] * 2


@pytest.mark.sources
def test_every_page_of_the_menu_is_among_the_screens() -> None:
    menu = (ROOT / "frontend/src/features/shell/navigation.ts").read_text()
    addresses = set(re.findall(r"path: '(/[\w-]+)'", menu))
    ways = "".join(file.read_text() for file in (ROOT / "tests/journeys").glob("*_screens.py"))
    shown = set(re.findall(r"(?:goto\(|at=)f?\"(/[\w-]+)", ways)) | {"/tickets"}
    assert addresses <= shown, addresses - shown
    assert len(addresses) > 10
