"""Every block of the operator's guide is run by a test, or stands here with the reason why not."""

import re

from django.core.management import get_commands

from tests.guide import GUIDE, blocks, embedded, of_systemd
from tests.product import ROOT

CONTAINERS = "needs containers, which no test here has"
# By the block's first line.
NOT_RUN = {
    "PUBLIC_URL=https://balcao.example.com": "a file's content, and no command",
    "docker compose -f docker/compose.yaml --env-file balcao.env up -d --build": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env run --rm web python manage.py"
    " bootstrap --email you@example.com": CONTAINERS,
    "(umask 077; docker compose -f docker/compose.yaml --env-file balcao.env run --rm --no-deps -T"
    " web python manage.py backup - > balcao.tar)": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env stop nginx web realtime worker"
    " beat": CONTAINERS,
}


def test_every_block_is_run_or_says_why_not() -> None:
    run = [*of_systemd(), *embedded()]
    others = {block.text.splitlines()[0] for block in blocks() if block not in run}
    assert others == set(NOT_RUN)
    assert len(run) == len(set(run)) > 12


def test_what_needs_no_container_is_not_excused() -> None:
    for block in blocks():
        if NOT_RUN.get(block.text.splitlines()[0]) == CONTAINERS:
            assert all("docker compose" in line for line in block.text.splitlines())
        elif block.kind not in {"sh", "cron"}:
            assert block.kind == "env"


def test_what_containers_are_told_is_there() -> None:
    _, _, compose = (ROOT / "docker" / "compose.yaml").read_text().partition("\nservices:\n")
    services = set(re.findall(r"^  ([a-z]+):$", compose.split("\nvolumes:\n")[0], re.MULTILINE))
    lines = [
        line
        for block in blocks()
        if NOT_RUN.get(block.text.splitlines()[0]) == CONTAINERS
        for line in block.text.splitlines()
    ]
    told = [
        re.sub(r"[()<>]| - .*", " ", line).partition("balcao.env ")[2].split() for line in lines
    ]
    assert {verb for verb, *_ in told} == {"up", "run", "stop", "exec"}
    for verb, *words in told:
        named = [word for word in words if not word.startswith("-")]
        if verb == "stop":
            assert set(named) < services
        elif verb != "up":
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
