"""The gateway dies in each phase of a session: it goes on by itself, or says what to do."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.product import wait_for
from tests.shop import GATEWAY, NUMBER, SERVER, TAKE_OVER_SECONDS, Shop, running_shop

GOES_ON_SECONDS = 10.0

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with running_shop() as shop:
        yield shop


def devices(shop: Shop) -> int:
    count: int = shop.whatsapp.call("devices", number=NUMBER)
    return count


def talks(shop: Shop, text: str) -> None:
    """Both ways, once each."""
    wid = shop.write(text)
    shop.of(wid)
    assert max(Counter(shop.received()).values()) == 1
    shop.accept()
    shop.say(f"{text}: sim")
    told = shop.inbox_has(lambda each: each["text"].endswith(f"{text}: sim"), "our message")
    assert told["arrivals"] == 1


def test_killed_while_a_code_is_shown_the_next_shows_another(shop: Shop) -> None:
    shown = shop.wait_for_code()
    shop.kill_gateway()
    shop.scan(other_than=shown)
    shop.wait_for_status("CONNECTED")
    talks(shop, "Depois do código")


def test_killed_in_back_off_the_next_opens_it(shop: Shop) -> None:
    shop.whatsapp.call("down", type="on")
    wait_for(lambda: shop.connection["reasonCode"] == "connection_lost", "the reason")
    assert shop.status == "OPENING"
    shop.kill_gateway()
    shop.whatsapp.call("down", type="off")
    shop.wait_for_status("CONNECTED")
    talks(shop, "Depois da queda")


def test_killed_with_an_open_session_another_has_it_within_ten_seconds(shop: Shop) -> None:
    with shop.second_gateway():
        wait_for(lambda: shop.beats_of("second"), "the second gateway", TAKE_OVER_SECONDS)
        epoch = shop.epoch()
        os.kill(shop.gateway(), signal.SIGKILL)
        killed_at = time.monotonic()
        wait_for(lambda: shop.epoch() > epoch, "the next owner", TAKE_OVER_SECONDS)
        wait_for(lambda: shop.whatsapp.call("open", to=NUMBER) is True, "it", TAKE_OVER_SECONDS)
        assert time.monotonic() - killed_at <= GOES_ON_SECONDS
        shop.wait_for_status("CONNECTED")
        talks(shop, "Depois da morte")


@pytest.mark.parametrize("frozen", [GATEWAY, SERVER])
def test_frozen_for_longer_than_a_lease_it_says_that_it_is_connected(
    shop: Shop, frozen: str
) -> None:
    process = shop.product.child(frozen)
    os.kill(process, signal.SIGSTOP)
    try:
        # The worker notices that nobody renews the lease.
        shop.end_lease()
        wait_for(lambda: shop.stored_status() == "OPENING", "the notice", TAKE_OVER_SECONDS)
    finally:
        os.kill(process, signal.SIGCONT)
    shop.wait_for_status("CONNECTED")
    talks(shop, f"Depois da pausa de {frozen}")


def test_an_owner_that_is_late_keeps_the_session_and_says_that_it_is_connected(
    shop: Shop,
) -> None:
    epoch = shop.epoch()
    shop.lose_status()
    shop.wait_for_status("CONNECTED")
    assert shop.epoch() == epoch
    talks(shop, "Depois do atraso")


def test_killed_during_a_transfer_a_third_opens_it(shop: Shop) -> None:
    before = shop.epoch()
    shop.kill_gateway()
    wait_for(lambda: shop.epoch() > before, "the second owner", 60)
    shop.kill_gateway()
    wait_for(lambda: shop.epoch() > before + 1, "the third owner", 60)
    shop.wait_for_status("CONNECTED")
    talks(shop, "Depois da troca")


def test_killed_during_a_logout_the_phone_is_told_by_the_next(shop: Shop) -> None:
    shop.whatsapp.call("down", type="on")
    wait_for(lambda: shop.connection["reasonCode"] == "connection_lost", "the reason")
    path = f"/api/whatsappsession/{shop.id}"
    logout = threading.Thread(target=lambda: shop.call("DELETE", path))
    logout.start()
    # It is asked, and can tell nobody.
    wait_for(lambda: shop.wish() == "logout", "the wish")
    shop.kill_gateway()
    logout.join()
    assert shop.status == "DISCONNECTED"
    assert devices(shop) == 1
    shop.whatsapp.call("down", type="off")
    wait_for(lambda: devices(shop) == 0, "the phone to be told", 90)
    wait_for(lambda: shop.farewells() == 0, "an end of it")
    assert shop.status == "DISCONNECTED"


def test_killed_between_the_scan_and_the_opening_the_next_opens_it(shop: Shop) -> None:
    shop.call("POST", f"/api/whatsappsession/{shop.id}")
    shop.scan()
    wait_for(lambda: devices(shop) == 1, "the device at the phone")
    shop.whatsapp.call("down", type="on")
    shop.kill_gateway()
    shop.whatsapp.call("down", type="off")
    shop.wait_for_status("CONNECTED")
    talks(shop, "Depois da leitura")
    assert devices(shop) == 1


def test_deleted_while_no_gateway_is_there_the_phone_is_told_by_the_next(shop: Shop) -> None:
    shop.kill_gateway()
    assert devices(shop) == 1
    # Its lease is over and nobody has it yet, or the next has: both have to tell the phone.
    shop.call("DELETE", f"/api/whatsapp/{shop.id}")
    wait_for(lambda: devices(shop) == 0, "the phone to be told", 90)
