"""The application can be installed: Chromium reads its manifest and gets its icons."""

import json
import struct
from urllib.parse import urljoin

from playwright.sync_api import Page

from tests.journeys.conftest import ADMIN, log_in


def test_chromium_takes_the_manifest_and_its_icons(page: Page) -> None:
    log_in(page, ADMIN)
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["name"] == "Balcão"
    assert page.request.get(urljoin(found["url"], manifest["start_url"])).ok
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = page.request.get(urljoin(found["url"], icon["src"]))
        width, height = struct.unpack(">II", picture.body()[16:24])
        assert (picture.headers["content-type"], icon["sizes"]) == (
            "image/png",
            f"{width}x{height}",
        )
