"""The least that an answer costs in the product's server: its statements and its bytes.

`python -m tests.bench.bare RECORDED` serves them as the product is served (`config.serve`): the
same heads, the same bridge to the same threads. There psycopg runs the statements that the product
ran, with the same kept plans, and orjson writes the same answer. Nobody is authenticated, no
address resolved, no row shaped.
"""

import gc
import os
import pickle
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import psycopg
import uvicorn

from config.bridge import WsgiBridge
from config.heads import MOST_HEAD_BYTES, bounded

# As many as the product's (`config.asgi`).
THREADS = 8


@dataclass(frozen=True)
class Statement:
    """SQL as the product sent it; without parameters its values stand in the text."""

    sql: str
    parameters: list[Any] | None = None
    keeps_plan: bool = False


@dataclass(frozen=True)
class Recorded:
    """What one address takes: the statements, and what the answer says."""

    statements: list[Statement]
    body: Any


class BareApp:
    """A WSGI application that answers recorded addresses; each thread has its own connection."""

    def __init__(self, recorded: dict[str, Recorded]) -> None:
        self.recorded = recorded
        self.own = threading.local()

    def __call__(self, environ: dict[str, Any], start: Any) -> list[bytes]:
        """Run the statements, write the answer."""
        recorded = self.recorded[f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}"]
        database = getattr(self.own, "database", None)
        if database is None:
            database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
            self.own.database = database
        for each in recorded.statements:
            with database.cursor() as cursor:
                cursor.execute(each.sql, each.parameters, prepare=each.keeps_plan, binary=True)
                cursor.fetchall()
        body = orjson.dumps(recorded.body)
        start("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]


def main() -> None:
    """Serve until a signal comes."""
    path, port = sys.argv[1:]
    bridge = WsgiBridge(
        BareApp(pickle.loads(Path(path).read_bytes())),
        threads=THREADS,
        most_bytes=lambda path, content_type: 0,
        admit=lambda scope, headers: False,
    )
    # As the product does with what is loaded.
    gc.collect()
    gc.freeze()
    uvicorn.run(
        bounded(bridge),
        port=int(port),
        loop="uvloop",
        http="config.heads:BoundedHeads",
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
        lifespan="off",
        proxy_headers=False,
        access_log=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
