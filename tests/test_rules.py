"""Every citation of a rule leads to a file and a section that are there (docs/rules/README.md)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.sources

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules"
FOLDERS = ("apps", "config", "docs", "tests", "frontend/src")
SUFFIXES = {".py", ".ts", ".tsx", ".md"}
SECTION = re.compile(r"^## (\d+)\. \S", re.MULTILINE)
CITATION = re.compile(r"\brules/([a-z-]+) (§\d+(?:(?:, | and | to )§\d+)*)")
CONTRACT = re.compile(r"\bdocs/(gateway)\.md (§\d+)")
OWN = re.compile(r"§\d+")
ELSEWHERE = re.compile(r"\bRFC \d+ §[\d.]+")
NOWHERE = re.compile(r"§|\b[Ss]pecifications? \d|\bspec\. \d")


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a file's sections, in their order."""
    return [int(number) for number in SECTION.findall(text)]


SECTIONS = {file.stem: numbers_in(file.read_text()) for file in RULES.glob("[a-z]*.md")}
CITED = {**SECTIONS, "gateway": numbers_in((ROOT / "docs" / "gateway.md").read_text())}


def faults_in(line: str, area: str = "") -> list[str]:
    """Return what a line cites and nobody can look up.

    Inside the rules of an area a bare `§4` is a section of the same file.
    """
    cited = CITATION.findall(line) + CONTRACT.findall(line)
    rest = ELSEWHERE.sub("", CONTRACT.sub("", CITATION.sub("", line)))
    if area:
        cited += [(area, own) for own in OWN.findall(rest)]
        rest = OWN.sub("", rest)
    faults = [
        f"rules/{where} §{number}"
        for where, numbers in cited
        for number in re.findall(r"\d+", numbers)
        if int(number) not in CITED.get(where, [])
    ]
    return [*faults, rest.strip()] if NOWHERE.search(rest) else faults


def sources() -> Iterator[Path]:
    """Give the files that may cite rules, but this one."""
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            is_ours = "node_modules" not in file.parts and file != Path(__file__)
            if is_ours and file.suffix in SUFFIXES:
                yield file


def test_every_citation_can_be_looked_up() -> None:
    lost = [
        f"{file.relative_to(ROOT)}:{number}: {fault}"
        for file in sources()
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        for fault in faults_in(line, file.stem if file.parent == RULES else "")
    ]
    assert lost == []


@pytest.mark.parametrize(
    "line",
    [
        "(rules/tickets §99)",
        "(rules/nowhere §1)",
        "(rules/tickets §1 and §99)",
        "(specification 4 §1)",
        "(rules §4.1)",
        "(§4.1)",
        "(docs/gateway.md §99)",
        "(docs/nowhere.md §1)",
    ],
)
def test_a_citation_that_leads_nowhere_is_found(line: str) -> None:
    assert faults_in(line)


@pytest.mark.parametrize(
    "line", ["(rules/tickets §1 to §4)", "(docs/gateway.md §5)", "RFC 7845 §5.1", "the rules"]
)
def test_what_can_be_looked_up_is_fine(line: str) -> None:
    assert faults_in(line) == []


def test_sections_are_numbered_upwards_and_every_area_is_listed() -> None:
    overview = (RULES / "README.md").read_text()
    for area, numbers in SECTIONS.items():
        assert numbers, area
        assert numbers == sorted(set(numbers)), area
        assert f"[{area}]({area}.md)" in overview
