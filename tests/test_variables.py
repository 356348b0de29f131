"""What an operator may set is one list, in config/variables.py."""

import re

import pytest
import uvicorn

from config import serve, variables
from config.environment import env
from tests.product import ROOT

pytestmark = pytest.mark.sources

READERS = [
    path
    for folder in ("config", "apps")
    for path in (ROOT / folder).rglob("*.py")
    if "tests" not in path.parts and path != ROOT / "config" / "variables.py"
]


def test_what_is_not_in_the_list_cannot_be_read() -> None:
    with pytest.raises(LookupError, match=r"config/variables\.py"):
        env("NOT_IN_THE_LIST")


def test_everything_in_the_list_is_read() -> None:
    code = "\n".join(path.read_text() for path in READERS)
    assert [name for name in variables.NAMES if f'"{name}"' not in code] == []
    assert len(set(variables.NAMES)) == len(variables.NAMES)


def test_nothing_is_read_past_the_list() -> None:
    reading = re.compile(
        r'(?:os\.environ\.get\(|os\.environ\[|\benv(?:_\w+)?\()\s*"([A-Z][A-Z0-9_]+)"'
    )
    names = {name for path in READERS for name in reading.findall(path.read_text())}
    assert len(names) > 40
    own = {"DJANGO_SETTINGS_MODULE", "DIE_WITH_PARENT"}  # nothing for an operator
    assert names - set(variables.NAMES) - own == set()


def test_the_guide_and_the_containers_have_what_is_in_the_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [path for path, present, wanted in variables.written() if present != wanted] == []
    row = variables.Row("NEW_ONE", "`7`", "Something new")
    monkeypatch.setattr(variables, "ROWS", (*variables.ROWS, row))
    monkeypatch.setattr(variables, "NAMES", (*variables.NAMES, row.names))
    assert variables.main(is_check=True) == 1
    assert capsys.readouterr().out.count("run make variables") == 3
    guide, compose, chart = (wanted for _, _, wanted in variables.written())
    assert "| `NEW_ONE` | `7` | Something new |\n" in guide
    assert "    NEW_ONE: ${NEW_ONE:-}\n" in compose
    assert '"NEW_ONE"' in chart


def test_an_empty_variable_of_a_container_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose passes on what nobody has set as an empty text."""
    for name in ("WEB_BIND", "WEB_PROCESSES", "WEB_THREADS", "DRAIN_SECONDS"):
        monkeypatch.setenv(name, "")
    asked: list[uvicorn.Config] = []

    class Server:
        started = True

        def __init__(self, config: uvicorn.Config, *, drain_seconds: float) -> None:
            asked.append(config)
            assert drain_seconds == 0

        def run(self) -> None:
            """Serve nobody."""

    monkeypatch.setattr(serve, "Server", Server)
    monkeypatch.setattr("sys.argv", ["serve", "web"])
    serve.main()
    [config] = asked
    assert (config.host, config.port, config.workers) == ("127.0.0.1", 8000, 1)
    assert config.proxy_headers is False
