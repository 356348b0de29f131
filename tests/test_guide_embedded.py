"""The guide's embedded way: first start, update, backup, cron and restore, as they are written."""

import os
import re
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE, STDOUT

import httpx
import pytest

from tests.guide import UP, Block, embedded
from tests.product import ROOT, wait_for
from tests.services import free_port

pytestmark = pytest.mark.xdist_group("processes")

PASSWORD = "uma-senha-de-teste"
# As the proxy that ends HTTPS calls it.
PROXIED = {"Host": "balcao.example.com", "X-Forwarded-Proto": "https"}
# What cron gives its commands.
CRON = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}
CRON_LINE = re.compile(r"(?:[\d*/,-]+ +){5}(.*)")


class Terminal:
    """A shell in the product's folder, on a machine that is a folder: exports stay."""

    def __init__(self, directory: Path, ends: ExitStack) -> None:
        self.directory = directory
        self.address = f"http://127.0.0.1:{free_port()}"
        self._ends = ends
        self._exports: list[str] = []
        (directory / "bin").mkdir()
        git = directory / "bin" / "git"
        git.write_text('#!/bin/sh\necho "git $*"\n')  # there is nothing newer
        git.chmod(git.stat().st_mode | stat.S_IXUSR)
        self._environment = {
            "PATH": f"{directory}/bin:{os.environ['PATH']}",
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            # Not what the guide asks for: a free port, and the answer to the prompt.
            "PORT": self.address.rpartition(":")[2],
            "BOOTSTRAP_PASSWORD": PASSWORD,
        }

    def here(self, text: str) -> str:
        for path in ("/var/lib/balcao", "/var/backups/balcao"):
            text = text.replace(path, f"{self.directory}{path}")
        return text.replace("/srv/balcao", str(ROOT))

    def give(self, block: Block) -> str:
        """Run a block to its end; return what it said."""
        done = subprocess.run(
            self._command(block),
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout[-4000:]
        self._remember(block)
        return done.stdout

    def start(self, block: Block) -> "subprocess.Popen[str]":
        """Run a block whose last command goes on; return once the product answers."""
        assert block.text.endswith(UP + "\n")
        log = (self.directory / "terminal.log").open("a+")
        process = subprocess.Popen(
            self._command(block),
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=STDOUT,
            text=True,
            start_new_session=True,
        )
        self._ends.callback(self.press_control_c, process)
        self._remember(block)

        def is_ready() -> bool:
            log.seek(0)
            assert process.poll() is None, log.read()[-4000:]
            try:
                ready = httpx.get(f"{self.address}/health/ready/", headers=PROXIED, timeout=10)
            except httpx.TransportError:
                return False
            return ready.status_code == 200

        wait_for(is_ready, "the product", 240)
        return process

    def press_control_c(self, process: "subprocess.Popen[str]") -> None:
        """Interrupt what runs in the foreground, as a terminal does."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=60)

    def cron(self, block: Block) -> None:
        """Run cron's lines as it does: with next to nothing set, and with %-signs as they mean."""
        for line in block.text.splitlines():
            found = CRON_LINE.fullmatch(line)
            assert found, line
            command = self.here(found[1])
            assert not re.search(r"(?<!\\)%", command)
            command = command.replace(r"\%", "%")
            subprocess.run(["/bin/sh", "-c", command], env=CRON, cwd="/", check=True, timeout=120)

    def _command(self, block: Block) -> list[str]:
        lines = ["set -euo pipefail", *self._exports, self.here(block.text)]
        return ["bash", "-c", "\n".join(lines)]

    def _remember(self, block: Block) -> None:
        lines = self.here(block.text).splitlines()
        self._exports += [line for line in lines if line.startswith("export ")]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with ExitStack() as ends:
        yield Terminal(tmp_path, ends)


def signs_in(terminal: Terminal) -> bool:
    body = {"email": "you@example.com", "password": PASSWORD}
    address = f"{terminal.address}/api/auth/login"
    return httpx.post(address, json=body, headers=PROXIED, timeout=30).status_code == 200


def test_the_embedded_commands_lead_to_a_product_that_works_and_comes_back(
    terminal: Terminal,
) -> None:
    first_start, first_login, update, backup, cron, find, restore = embedded()
    running = terminal.start(first_start)
    said = terminal.give(first_login)
    assert "System check identified no issues" in said
    assert "Super user you@example.com created." in said
    assert signs_in(terminal)

    backups = terminal.directory / "var" / "backups" / "balcao"
    terminal.give(backup)
    terminal.cron(cron)
    assert len(list(backups.iterdir())) == 2
    assert all(archive.stat().st_size > 10_000 for archive in backups.iterdir())

    terminal.press_control_c(running)
    running = terminal.start(update)
    assert signs_in(terminal)
    terminal.press_control_c(running)

    running = terminal.start(restore)
    assert signs_in(terminal)
    kept = terminal.directory / "var" / "lib" / "balcao"
    assert len(list(kept.glob("before-restore-*"))) == 1
    terminal.press_control_c(running)

    old, *_ = backups.iterdir()
    os.utime(old, (0, 0))
    terminal.give(find)
    assert not old.exists()
    assert len(list(backups.iterdir())) == 1
