"""What has to go along with the gateway wherever it goes."""

import pytest

from tests.product import ROOT

pytestmark = pytest.mark.sources

GATEWAY = ROOT / "gateway"


def test_the_gateway_is_passed_on_with_the_text_of_its_licence() -> None:
    text = (GATEWAY / "COPYING").read_text()
    assert text.lstrip().startswith("GNU GENERAL PUBLIC LICENSE")
    assert "Version 3, 29 June 2007" in text and "END OF TERMS AND CONDITIONS" in text
    assert "`COPYING`" in (GATEWAY / "NOTICE.md").read_text()
    assert (
        "COPY gateway/NOTICE.md gateway/COPYING ./"
        in (ROOT / "docker/gateway.Dockerfile").read_text()
    )
