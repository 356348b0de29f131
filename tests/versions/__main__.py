"""Write the folder of the version in VERSION, from empty databases that today's code migrates."""

import tempfile
from pathlib import Path

from tests import versions
from tests.product import migrate_database
from tests.services import PostgresServer


def main() -> None:
    version = (versions.ROOT / "VERSION").read_text().strip()
    folder = versions.FOLDER / version
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="balcao-version-") as directory:
        path = Path(directory, "balcao.sqlite3")
        migrate_database(f"sqlite:///{path}")
        versions.write_sqlite(path, folder)
    server = PostgresServer()
    try:
        migrate_database(server.url())
        versions.write_postgres(server.url(), folder)
    finally:
        server.stop()
    versions.write_checksums(folder)
    print(f"Written: {folder.relative_to(versions.ROOT)}")


if __name__ == "__main__":
    main()
