"""The blocks of the operator's guide, and who tries them."""

import re
import textwrap
from dataclasses import dataclass

from tests.product import ROOT

GUIDE = (ROOT / "docs" / "operator-guide.md").read_text()
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
UP = ".venv/bin/python manage.py up"
# A setting of a unit of systemd.
SETTING = re.compile(r"^(\w+)=(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """Commands, or the content of a file, as they are written."""

    section: str
    kind: str
    text: str


def blocks() -> list[Block]:
    """Return all of them in their order."""
    found = []
    for part in re.split(r"^## ", GUIDE, flags=re.MULTILINE):
        section, _, text = part.partition("\n")
        fences = FENCE.findall(text)
        assert len(fences) == text.count("```") // 2, f"A block of '{section}' is not closed"
        found += [Block(section, kind, textwrap.dedent(block)) for kind, block in fences]
    return found


def of_systemd() -> list[Block]:
    """Return what `test_guide.py` runs; an update and a restore find a gateway at work."""
    found = [
        block
        for block in blocks()
        if block.section == "Production with systemd"
        or (block.section in {"Updates", "QR sessions", "Backups"} and "systemctl" in block.text)
    ]
    return sorted(found, key=_turn)


def commands_for_systemd() -> str:
    """Return the guide's commands for systemd, in their order."""
    assert all(block.kind == "sh" for block in of_systemd())
    return "\n".join(block.text for block in of_systemd())


def _turn(block: Block) -> int:
    order = ("Production with systemd", "QR sessions", "Updates", "Backups")
    return order.index(block.section)


def embedded() -> list[Block]:
    """Return what `test_guide_embedded.py` runs."""
    return [
        block
        for block in blocks()
        if block.section == "Embedded"
        or (block.section == "Backups" and block.kind == "cron")
        or block.text.startswith((".venv/bin/python manage.py ", "find "))
    ]
