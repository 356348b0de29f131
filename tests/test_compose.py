"""What docker/compose.yaml says is there: files, commands, variables, volumes and ports."""

import importlib.util
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from celery.bin.celery import celery
from click import Context
from django.core.management import get_commands
from django.urls import resolve

from apps.common import health
from config import variables
from config.serve import ENDING_DRAINED_SECONDS
from tests.guide import GUIDE, blocks
from tests.product import ROOT

pytestmark = pytest.mark.sources

DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: said for name, said in SERVICES.items() if "build" in said}
# Of Compose itself and of the images of others, which the guide explains in words.
OWN_VARIABLES = {"POSTGRES_PASSWORD", "SUBNET", "HTTP_PORT"}
OTHERS = {
    "postgres": ({"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}, {"pg_isready"}),
    "redis": (set(), {"redis-server", "redis-cli"}),
    "nginx": ({"TRUSTED_PROXIES"}, set()),
}
VARIABLE = re.compile(r"(?<!\$)\$\{([A-Z][A-Z0-9_]*)(?:(:[-?])([^}]*))?\}")


def filled(text: str, **given: str) -> str:
    """Return a text as Compose fills it in."""
    return VARIABLE.sub(
        lambda found: given.get(found[1]) or (found[3] if found[2] == ":-" else ""), text
    )


def texts(node: Any) -> Iterator[str]:
    """Give every text of a part of the file."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield name
            yield from texts(value)
    elif isinstance(node, list):
        for each in node:
            yield from texts(each)
    else:
        yield str(node)


def words(said: dict[str, Any], key: str = "command") -> list[str]:
    return [filled(word) for word in said.get(key, [])]


def is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def check_command(command: list[str]) -> None:
    """Refuse what the image could not run."""
    if command[0] == "env":
        command = command[1:]
    while "=" in command[0]:
        assert command[0].partition("=")[0] in variables.NAMES, command[0]
        command = command[1:]
    program, *rest = command
    if program == "celery":
        app, subcommand, *options = rest
        module = app.removeprefix("--app=")
        assert is_module(module), module
        assert subcommand in {"worker", "beat"}
        _, left, _ = celery.commands[subcommand].make_parser(Context(celery)).parse_args(options)
        assert left == []
    elif rest[:1] == ["manage.py"]:
        assert rest[1] in get_commands(), rest
    else:
        assert program == "python" and rest[0] == "-m" and is_module(rest[1]), command


def test_every_image_is_named_and_what_it_is_built_of_is_there() -> None:
    assert set(SERVICES) == {*OURS, *OTHERS}
    for name, said in SERVICES.items():
        assert said["image"], name
        if name not in OURS:
            assert ":" in said["image"], f"{name}: which version?"
            continue
        context = (DOCKER / said["build"]["context"]).resolve()
        assert context == ROOT
        file = context / said["build"]["dockerfile"]
        for line in re.findall(r"^COPY (?!--from)(.+)", file.read_text(), re.MULTILINE):
            for source in line.split()[:-1]:
                assert list(context.glob(source.rstrip("/"))), f"{file.name}: {source}"


def test_every_command_can_be_run() -> None:
    for name, said in SERVICES.items():
        if name in OTHERS:
            assert not said.get("command") or words(said)[0] in OTHERS[name][1]
        elif name != "gateway" and "command" in said:
            check_command(words(said))
    [command] = re.findall(r"^CMD (.+)", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)
    check_command(yaml.safe_load(command))
    for wrong in (["python", "manage.py", "no"], ["python", "-m", "config.no"]):
        with pytest.raises(AssertionError):
            check_command(wrong)
    # The gateway's is a line of shell, and its program is built of this.
    shell = words(SERVICES["gateway"])
    assert shell[:2] == ["sh", "-c"]
    said_by = re.fullmatch(r"([A-Z_]+)=\S+ exec node dist/main\.js", shell[2].replace("$$", "$"))
    assert said_by and said_by[1] in variables.NAMES
    assert (ROOT / "gateway" / "src" / "main.ts").is_file()


def test_every_variable_is_in_the_one_list() -> None:
    asked = {found[1] for text in texts(COMPOSE) for found in VARIABLE.finditer(text)}
    assert asked - set(variables.NAMES) == OWN_VARIABLES
    for name, said in SERVICES.items():
        known = OTHERS[name][0] if name in OTHERS else set(variables.NAMES)
        assert set(said.get("environment", {})) <= known, name
        assert "env_file" not in said, "a file would pass on what is not in the list"
    for name, said in OURS.items():
        if name != "gateway":
            assert said["environment"] == COMPOSE["x-balcao"]["environment"], name
    program = (ROOT / "gateway" / "src" / "config.ts").read_text()
    for name in SERVICES["gateway"]["environment"]:
        assert re.search(rf"\b{name}\b", program), name


def test_the_guides_file_sets_all_that_must_be_set() -> None:
    [block] = (block for block in blocks() if block.kind == "env")
    given = set(re.findall(r"^([A-Z_]+)=", block.text, re.MULTILINE))
    needed = {
        found[1] for text in texts(COMPOSE) for found in VARIABLE.finditer(text) if found[2] == ":?"
    }
    assert needed <= given <= {*variables.NAMES, *OWN_VARIABLES}
    assert all(f"`{name}" in GUIDE or f"{name}=" in GUIDE for name in OWN_VARIABLES)


def test_volumes_and_networks_are_declared_and_files_are_there() -> None:
    used = set()
    for name, said in SERVICES.items():
        for volume in said.get("volumes", []):
            source, target, *_ = volume.split(":")
            assert target.startswith("/")
            if source.startswith("."):
                assert (DOCKER / source).is_file(), f"{name}: {source}"
                assert not source.endswith(".sh") or os.access(DOCKER / source, os.X_OK)
            else:
                used.add(source)
        assert set(said.get("networks", ["default"])) <= set(COMPOSE["networks"]), name
    assert used == set(COMPOSE["volumes"])
    # Whoever serves or works has the one DATA_DIR, and the lock in it (the guide's 'Restore').
    [folder] = re.findall(r"DATA_DIR=(\S+)", (DOCKER / "Dockerfile").read_text())
    for name, said in OURS.items():
        assert name == "gateway" or f"data:{folder}" in said["volumes"], name


def test_nobody_waits_for_what_never_comes() -> None:
    for name, said in SERVICES.items():
        for other, wanted in said.get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name}: {other}"
            else:
                assert wanted["condition"] == "service_completed_successfully"
                assert SERVICES[other]["restart"] == "no", f"{name}: {other}"
    # Only what the guide starts by name needs one.
    [profiles] = (said["profiles"] for said in SERVICES.values() if "profiles" in said)
    assert [f"`COMPOSE_PROFILES={name}`" in GUIDE for name in profiles] == [True]


def test_the_outside_reaches_nginx_alone_and_from_this_machine() -> None:
    published = {name: said["ports"] for name, said in SERVICES.items() if "ports" in said}
    [port] = published.pop("nginx")
    assert not published
    assert filled(port) == "127.0.0.1:80:80"
    assert filled(port, HTTP_PORT="8080") == "8080:80"
    assert "nginx listens on `HTTP_PORT` (`127.0.0.1:80`)" in GUIDE
    assert not any({"network_mode", "privileged"} & set(said) for said in SERVICES.values())


def test_nginx_and_the_others_meet_where_the_services_listen() -> None:
    environment = SERVICES["web"]["environment"]
    listening = {"web": environment["WEB_BIND"].rpartition(":")[2]}
    [listening["realtime"]] = [
        word.partition("=")[2] for word in words(SERVICES["realtime"]) if word.startswith("PORT=")
    ]
    upstreams = re.findall(r"server ([a-z]+):(\d+) resolve ", (DOCKER / "nginx.conf").read_text())
    assert dict(upstreams) == listening
    hosts = {"DATABASE_URL": "postgres", "REDIS_URL": "redis", "BALCAO_URL": "web"}
    for name, host in hosts.items():
        assert re.search(rf"(//|@){host}[:/]", filled(environment[name])), name


@pytest.mark.parametrize("name", ["web", "realtime"])
def test_who_serves_is_given_the_time_to_leave(name: str) -> None:
    drained = int(SERVICES[name]["environment"]["DRAIN_SECONDS"])
    given = int(SERVICES[name]["stop_grace_period"].removesuffix("s"))
    assert given > drained + ENDING_DRAINED_SECONDS
    assert f"docker stop --time {given} $each" in GUIDE


def health_code() -> str:
    told = {tuple(SERVICES[name]["healthcheck"]["test"]) for name in ("web", "realtime")}
    [(kind, program, option, code)] = told
    assert (kind, program, option) == ("CMD", "python", "-c")
    return str(code)


def test_every_health_check_asks_what_there_is() -> None:
    for name, said in SERVICES.items():
        if name in OTHERS and "healthcheck" in said:
            kind, program, *_ = said["healthcheck"]["test"]
            assert (kind, program in OTHERS[name][1]) == ("CMD", True), name
    [(port, path)] = re.findall(r"http://127\.0\.0\.1:(\d+)(/[^\"]*)", health_code())
    assert resolve(path).func is health.live
    assert SERVICES["web"]["environment"]["WEB_BIND"].endswith(f":{port}")


def test_in_containers_nobody_comes_past_what_ends_https() -> None:
    text = (ROOT / "docker" / "compose.yaml").read_text()
    assert '"${HTTP_PORT:-127.0.0.1:80}:80"' in text
    assert text.count("&proxies") == text.count("TRUSTED_PROXIES: *proxies") == 1
