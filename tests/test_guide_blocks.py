"""Every block of the operator's guide is run by a test, or stands here with the reason why not."""

import re
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.guide import GUIDE, SETTING, blocks, commands_for_systemd, embedded, of_systemd
from tests.product import ROOT

pytestmark = pytest.mark.sources

CONTAINERS = "needs containers, which no test here has"
# By the block's first line.
NOT_RUN = {
    "PUBLIC_URL=https://balcao.example.com": "a file's content, and no command",
    "docker compose -f docker/compose.yaml --env-file balcao.env up -d --build": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env run --rm web python manage.py"
    " bootstrap --email you@example.com": CONTAINERS,
    "(umask 077; docker compose -f docker/compose.yaml --env-file balcao.env run --rm --no-deps -T"
    " web python manage.py backup - > balcao.tar)": CONTAINERS,
    "old=$(docker compose -f docker/compose.yaml --env-file balcao.env ps --quiet web"
    " realtime)": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env stop nginx web realtime worker"
    " sender beat": CONTAINERS,
    "ALTER DATABASE balcao SET jit = off;": "tests set nothing in their databases",
    '{"CORSRules": [{"AllowedOrigins": ["https://balcao.example.com"], "AllowedMethods": ["GET",'
    ' "PUT"], "AllowedHeaders": ["content-type"]}]}': "a rule of a bucket, and no command",
    "[databases]": "a file's content; `tests/services.py` writes its like",
}


def test_every_block_is_run_or_says_why_not() -> None:
    run = [*of_systemd(), *embedded()]
    others = {block.text.splitlines()[0] for block in blocks() if block not in run}
    assert others == set(NOT_RUN)
    assert len(run) == len(set(run)) > 12


def test_what_needs_no_container_is_not_excused() -> None:
    for block in blocks():
        if NOT_RUN.get(block.text.splitlines()[0]) == CONTAINERS:
            lines = block.text.splitlines()
            assert all("docker " in line or line == "git pull" for line in lines)
        elif block.kind not in {"sh", "cron"}:
            assert block.kind in {"env", "ini", "json", "sql"}


def test_what_containers_are_told_is_there() -> None:
    _, _, compose = (ROOT / "docker" / "compose.yaml").read_text().partition("\nservices:\n")
    services = set(re.findall(r"^  ([a-z]+):$", compose.split("\nvolumes:\n")[0], re.MULTILINE))
    lines = [
        line
        for block in blocks()
        if NOT_RUN.get(block.text.splitlines()[0]) == CONTAINERS
        for line in block.text.splitlines()
        if "docker compose" in line
    ]
    told = [
        re.sub(r"[()<>]|--scale \S+| - .*", " ", line).partition("balcao.env ")[2].split()
        for line in lines
    ]
    assert {verb for verb, *_ in told} == {"build", "ps", "up", "run", "stop", "exec"}
    for verb, *words in told:
        named = [word for word in words if not word.startswith("-")]
        if verb in {"build", "ps", "stop", "up"}:
            assert set(named) < services
        else:
            assert named[0] in services
    commands = {words[words.index("manage.py") + 1] for words in told if "manage.py" in words}
    assert commands == {"bootstrap", "backup", "restore"} < set(get_commands())


def test_every_field_that_is_read_is_to_be_subscribed_to() -> None:
    """Meta sends nothing of the others."""
    (line,) = (line for line in GUIDE.splitlines() if "Subscribe to the fields" in line)
    assert set(re.findall(r"`([a-z_]+)`", line)) >= {
        "messages",
        "account_update",
        "calls",
        "smb_message_echoes",
    }


def test_variables_that_the_shell_cannot_read_stop_the_command(tmp_path: Path) -> None:
    """A value with a space is a command's environment to the shell, and nobody's variable."""
    lines = [line.strip() for line in GUIDE.splitlines() if ". /etc/balcao.env" in line]
    assert all("set -ae; . /etc/balcao.env; " in line for line in lines)
    (line,) = (line for line in lines if "proxies.sh" in line)
    variables, written = tmp_path / "balcao.env", tmp_path / "proxies.conf"
    places = {
        "sudo ": "",
        "/etc/balcao.env": str(variables),
        "/etc/nginx/proxies.conf": str(written),
        "/srv/balcao": str(ROOT),
    }
    for old, new in places.items():
        line = line.replace(old, new)
    for value, is_read in (
        ("127.0.0.1,10.0.0.5", True),
        ("'127.0.0.1, 10.0.0.5'", True),
        ("127.0.0.1, 10.0.0.5", False),
    ):
        written.unlink(missing_ok=True)
        variables.write_text(f"TRUSTED_PROXIES={value}\n")
        answer = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
        assert (answer.returncode == 0) is written.exists() is is_read
    assert answer.stderr


@pytest.mark.parametrize(
    "entry", ["10.0.0.0/255.0.0.0", "10.0.0.0/33", "10.0.0.256", "10.0", "abc", "fd00::/129", "/8"]
)
def test_what_nginx_would_not_take_is_refused_with_words(tmp_path: Path, entry: str) -> None:
    answer = subprocess.run(
        [ROOT / "docker" / "proxies.sh", tmp_path / "proxies.conf"],
        env={"TRUSTED_PROXIES": f"127.0.0.1,{entry}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert f"'{entry}' is neither an address nor a network" in answer.stderr
    assert not (tmp_path / "proxies.conf").exists()


def test_every_unit_is_in_the_guide() -> None:
    units = {path.name for path in (ROOT / "systemd").iterdir()} - {"restart.sh"}
    started = re.search(r"enable --now (.*)", commands_for_systemd())
    assert started
    plain = [re.sub(r"@\d+$", "@", name) for name in started[1].split()]
    named = {name if "." in name else f"{name}.service" for name in plain}
    # All of them are restarted after an update.
    script = (ROOT / "systemd" / "restart.sh").read_text()
    assert all(name in script for name in started[1].split() if "." not in name)
    # Who wants QR sessions starts it, by a section of its own.
    assert "enable --now balcao-gateway\n" in GUIDE.partition("## QR sessions")[2]
    # The timer starts its service.
    assert units == named | {"balcao-backup.service", "balcao-gateway.service"}


@pytest.mark.parametrize(("name", "queue"), [("worker", "celery"), ("sender", "sending")])
def test_a_pool_has_the_threads_that_it_is_shared_out_by(name: str, queue: str) -> None:
    """What the file of variables says comes after the unit's own (systemd.exec)."""
    text = (ROOT / "systemd" / f"balcao-{name}.service").read_text()
    program = dict(SETTING.findall(text))["ExecStart"]
    default = re.search(r"^Environment=WORKER_THREADS=(\d+)$", text, re.MULTILINE)
    assert default
    for threads in (default[1], "48"):
        shown = ["bash", "-c", f'printf "%s\\n" {program}']
        environment = {"WORKER_THREADS": threads}
        words = subprocess.run(
            shown, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.split()
        assert {f"--concurrency={threads}", f"--queues={queue}"} <= set(words)
