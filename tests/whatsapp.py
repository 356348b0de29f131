"""The gateway tests' WhatsApp as a program, for tests with the real gateway."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.product import ROOT


class FakeWhatsApp:
    """WhatsApp and the phones behind it (gateway/tests/fake/serve.ts)."""

    def __init__(self, places: dict[str, str]) -> None:
        self.url = places["url"]
        self.media_url = places["mediaUrl"]
        self._control = places["control"]

    @property
    def control_port(self) -> int:
        """Return the port that takes its calls."""
        return int(self._control.rpartition(":")[2])

    def call(self, name: str, /, **fields: str) -> Any:
        """Make one of its calls; raises AssertionError with what it says where it can't be done."""
        body = json.dumps(fields).encode()
        try:
            with urllib.request.urlopen(f"{self._control}/{name}", body, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise AssertionError(f"{name}: {refusal.read().decode()}") from refusal

    def texts(self, number: str) -> list[str]:
        """Return what came to a person, each as often as it arrived."""
        inbox = self.call("inbox", number=number, name="")
        return [each["text"] for each in inbox for _ in range(each["arrivals"])]


@contextmanager
def running_whatsapp() -> Iterator[FakeWhatsApp]:
    """Start it, and end it afterwards."""
    with subprocess.Popen(
        ["node", "tests/fake/run.mjs"],
        cwd=ROOT / "gateway",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        line = process.stdout.readline()
        try:
            yield FakeWhatsApp(json.loads(line))
        finally:
            process.stdin.close()
            process.wait(20)
