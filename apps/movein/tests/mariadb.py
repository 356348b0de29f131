"""A throw-away MariaDB server on a loopback port, for the tests of its reader."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pymysql

from tests.services import free_port

# MariaDB refuses to run as root.
ACCOUNT = "nobody"


def program(name: str) -> str:
    """Return the path of one of MariaDB's programs; raises RuntimeError where it is missing."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if path is None:
        raise RuntimeError(f"{name} is missing: run `make test-services`.")
    return path


class MariadbServer:
    """A server whose `root` needs no password; it keeps nothing."""

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="balcao-mariadb-"))
        account = []
        if os.geteuid() == 0:
            owner = pwd.getpwnam(ACCOUNT)
            os.chown(self.directory, owner.pw_uid, owner.pw_gid)
            account = [f"--user={ACCOUNT}"]
        self.port = free_port()
        data = f"--datadir={self.directory / 'data'}"
        subprocess.run(
            [program("mariadb-install-db"), "--no-defaults", data, *account]
            + ["--auth-root-authentication-method=normal", "--skip-test-db"],
            check=True,
            capture_output=True,
        )
        with (self.directory / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [program("mariadbd"), "--no-defaults", data, *account]
                + [f"--port={self.port}", "--bind-address=127.0.0.1"]
                + [f"--socket={self.directory / 'socket'}", "--innodb-flush-log-at-trx-commit=0"]
                + ["--innodb-buffer-pool-size=64M", "--character-set-server=utf8mb4"],
                stdout=log,
                stderr=log,
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.connect().close()
                return
            except pymysql.Error:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise RuntimeError((self.directory / "log").read_text()) from None
                time.sleep(0.1)

    def connect(self, database: str | None = None) -> "pymysql.Connection[pymysql.cursors.Cursor]":
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user="root",
            database=database,
            charset="utf8mb4",
            init_command="SET time_zone = '+00:00'",
        )

    def stop(self) -> None:
        """End the server and remove its files."""
        self.process.terminate()
        self.process.wait(timeout=60)
        shutil.rmtree(self.directory, ignore_errors=True)
