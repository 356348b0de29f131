"""`manage.py up` starts everything, keeps it running and leaves nothing behind."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from config.private_files import keep_private
from config.up import (
    DEMO_PASSWORD,
    CannotStart,
    announcement,
    check_port,
    embedded_environment,
    gateway_command,
    gateway_environment,
    prepare_data_directory,
    simulates_sessions,
)
from tests.product import ROOT, Product, is_alive, wait_for

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    running = Product()
    yield running
    running.remove()


def test_it_serves_the_application_and_its_health(product: Product) -> None:
    status, body = product.get("/health/")
    assert status == 200
    assert '"ok"' in body
    commands = " ".join(product.children().values())
    for part in ("valkey", "config.serve", "config.worker"):
        assert part in commands


def test_its_secrets_are_for_the_owner_alone(product: Product) -> None:
    for name in ("secret_key", "gateway_secret", "valkey/valkey.conf"):
        assert (product.data_directory / name).stat().st_mode & 0o077 == 0


def test_its_data_are_for_the_owner_alone(product: Product) -> None:
    login = {"email": "admin@demo.local", "password": "balcao123"}
    with httpx.Client(base_url=product.address, timeout=60, trust_env=False) as http:
        token = http.post("/api/auth/login", json=login).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        option = {"name": "Preços", "path": "", "mediaType": ""}
        files = {"name": "Tabelas", "message": "Veja", "options": [option]}
        made = http.post("/api/files", json=files).json()
        sent = http.post(
            f"/api/files/uploadList/{made['id']}",
            data={"fileId": made["id"], "typeArch": "fileList", "id": made["options"][0]["id"]},
            files={"files": ("a.txt", b"Tabela")},
        )
        assert sent.is_success, sent.text
    stored = [product.data_directory, *product.data_directory.rglob("*")]
    names = {path.name for path in stored}
    assert names >= {"balcao.sqlite3", "balcao.sqlite3-wal", "balcao.sqlite3-shm", "media"}
    assert any("media" in path.parts and path.is_file() for path in stored)
    open_to_others = [
        path
        for path in stored
        if path.exists() and not path.is_socket() and path.stat().st_mode & 0o077
    ]
    assert open_to_others == []


def test_data_of_an_earlier_version_are_closed_to_others(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    (directory / "media").mkdir(parents=True)
    for name in ("balcao.sqlite3", "balcao.sqlite3-wal"):
        (directory / name).touch()
        (directory / name).chmod(0o644)
    for folder in (directory, directory / "media"):
        folder.chmod(0o755)
    keep_private(directory)
    modes = {path.name: path.stat().st_mode & 0o777 for path in directory.rglob("*")}
    assert modes == {"media": 0o700, "balcao.sqlite3": 0o600, "balcao.sqlite3-wal": 0o600}
    assert directory.stat().st_mode & 0o777 == 0o700
    keep_private(tmp_path / "none")


@pytest.mark.parametrize("unit", sorted((ROOT / "systemd").glob("*.service")), ids=lambda u: u.name)
def test_a_unit_writes_for_its_own_user_alone(unit: Path) -> None:
    assert "\nUMask=0077\n" in unit.read_text()


def test_a_second_start_on_the_same_data_is_refused(product: Product) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(product.data_directory)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert second.returncode == 1
    assert "already runs" in second.stdout


def test_a_restore_is_refused_while_it_runs(product: Product) -> None:
    restore = subprocess.run(
        [sys.executable, "manage.py", "restore", "-"],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(product.data_directory)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert restore.returncode == 1
    assert (
        "Stop all of it first: web, realtime, workers, and beat. Nothing was changed."
        in restore.stderr
    )


def test_a_taken_port_is_named(product: Product, tmp_path: os.PathLike[str]) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(tmp_path), "PORT": str(product.port)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert second.returncode == 1
    assert f"Port {product.port} is taken" in second.stdout


@pytest.mark.parametrize("part", ["config.serve", "config.worker", "valkey"])
def test_a_killed_process_is_started_again(product: Product, part: str) -> None:
    before = product.child(part)
    os.kill(before, signal.SIGKILL)
    wait_for(lambda: product.child(part) not in {0, before}, f"a new {part}")
    wait_for(lambda: product.get("/health/")[0] == 200, "the page after the restart")


def test_a_fault_shows_no_page_for_developers(product: Product) -> None:
    for path in ("/api/nothing/", "/admin/nothing/", "/simulator/nothing/", "/static/app/nothing"):
        body = product.get(path)[1]
        assert "DEBUG" not in body, path
        assert "Traceback" not in body, path


def test_its_log_holds_no_secret(product: Product) -> None:
    """Also after the restarts above, of which everyone complained."""
    log = product.log.read_text()
    (password,) = re.findall(
        r"requirepass (\w+)", (product.data_directory / "valkey" / "valkey.conf").read_text()
    )
    assert "again in" in log
    assert password not in log
    for name in ("secret_key", "gateway_secret"):
        assert (product.data_directory / name).read_text() not in log


def test_only_the_simulator_has_passwords_to_tell() -> None:
    told = "\n".join(announcement(embedded_environment({"SIMULATOR": "0"}), 1.0))
    assert DEMO_PASSWORD not in told
    assert DEMO_PASSWORD in "\n".join(announcement(embedded_environment({}), 1.0))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_parent_is_the_end_of_all(product: Product, number: signal.Signals) -> None:
    if product.process.poll() is not None:
        product.start()
    pids = list(product.children())
    assert len(pids) >= 3
    code = product.stop(number)
    assert code == (0 if number is signal.SIGTERM else -signal.SIGKILL)
    wait_for(lambda: not any(map(is_alive, pids)), "the end of every child", 10)


def test_what_a_killed_installation_held_is_free_when_it_is_back(product: Product) -> None:
    product.stop(signal.SIGKILL)
    with closing(sqlite3.connect(product.data_directory / "balcao.sqlite3")) as kept, kept:
        held = kept.execute(
            "UPDATE schedules_schedule SET state = 'claimed', owner = 'dead:1:a#b',"
            " lease_expires_at = '2999-01-01 00:00:00' WHERE status = 'PENDENTE'"
        ).rowcount
    assert held > 0
    product.start()

    def is_free() -> bool:
        with closing(sqlite3.connect(product.data_directory / "balcao.sqlite3")) as kept:
            query = "SELECT count(*) FROM schedules_schedule WHERE state = 'claimed'"
            return bool(kept.execute(query).fetchone() == (0,))

    wait_for(is_free, "the rows to be free", 10)


@pytest.mark.parametrize("port", ["abc", "0", "-1", "80.5", "65536"])
def test_a_port_that_is_none_is_named(port: str) -> None:
    with pytest.raises(CannotStart, match=f"PORT is {port}"):
        check_port({"HOST": "127.0.0.1", "PORT": port})


def test_a_place_where_nothing_can_be_kept_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match="Choose another DATA_DIR"):
        prepare_data_directory({"DATA_DIR": str(tmp_path / "file" / "data")})


def test_the_environment_wins_over_the_embedded_default() -> None:
    chosen = embedded_environment({"PORT": "9000", "SIMULATOR": "0", "DATA_DIR": "/tmp/x"})
    assert chosen["PORT"] == "9000"
    assert "DEBUG" not in embedded_environment({}), "a fault never shows a debug page"
    assert embedded_environment({"DEBUG": "1"})["DEBUG"] == "1"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("DATABASE_URL", url) for url in ("bogus", "mysql://a@b/c", "postgres://u:s3cret@h:x/n")),
        ("RETENTION_DAYS", "thirty"),
    ],
)
def test_a_variable_that_cannot_be_used_is_a_sentence(name: str, text: str) -> None:
    command = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=os.environ | {name: text},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert command.returncode == 1
    assert command.stderr.startswith(f"{name} is ")
    assert command.stderr.count("\n") == 1
    assert "s3cret" not in command.stderr


@pytest.mark.parametrize("missing", ["gateway/dist/main.js", "gateway/node_modules/baileys"])
def test_without_its_gateway_the_product_starts_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    (tmp_path / "gateway" / "dist").mkdir(parents=True)
    (tmp_path / "gateway" / "dist" / "main.js").touch()
    (tmp_path / "gateway" / "node_modules" / "baileys").mkdir(parents=True)
    assert gateway_command(tmp_path) == ["/usr/bin/node", f"{tmp_path}/gateway/dist/main.js"]
    (tmp_path / missing).rename(tmp_path / "elsewhere")
    assert gateway_command(tmp_path) == []


def test_a_gateway_is_not_there_without_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert gateway_command(ROOT) == []


@pytest.mark.parametrize(
    ("given", "is_simulated"),
    [
        ({}, True),
        ({"SIMULATE_QR": "on"}, True),
        ({"SIMULATE_QR": "0"}, False),
        ({"SIMULATOR": "0"}, False),
    ],
)
def test_the_simulator_and_a_gateway_never_hold_sessions_side_by_side(
    given: dict[str, str], is_simulated: bool
) -> None:
    assert simulates_sessions(embedded_environment(given)) == is_simulated


def test_the_gateway_is_told_none_of_the_products_secrets(tmp_path: Path) -> None:
    given = {"DATA_DIR": str(tmp_path), "PORT": "8123", "HOST": "0.0.0.0"}
    environment = embedded_environment(
        {**given, "SECRET_KEY": "s", "DATABASE_URL": "d", "META_APP_SECRET": "m", "PATH": "/bin"}
    )
    prepare_data_directory(environment).close()
    told = gateway_environment(environment)
    assert told["GATEWAY_SECRET"] == (tmp_path / "gateway_secret").read_text()
    assert told["BALCAO_URL"] == "http://127.0.0.1:8123"
    assert told["GATEWAY_PORT"].isdigit()
    assert set(told) == {"GATEWAY_SECRET", "GATEWAY_PORT", "BALCAO_URL", "PATH"}
    assert gateway_environment({**environment, "GATEWAY_SECRET": "own"})["GATEWAY_SECRET"] == "own"
