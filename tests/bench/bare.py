"""The least that an answer costs: its statements and its bytes, and nothing in between.

`python -m tests.bench.bare RECORDED` serves them as the product is served (`config.serve`): psycopg
runs the statements that the product ran, with the same kept plans, orjson writes the same answer.
Nobody is authenticated, no address resolved, no row shaped.
"""

import os
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import psycopg
import uvicorn


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


class BareServer:
    """An ASGI application that answers recorded addresses."""

    def __init__(self, recorded: dict[str, Recorded]) -> None:
        self.recorded = recorded
        self.database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the statements, write the answer."""
        if scope["type"] != "http":
            return
        recorded = self.recorded[scope["path"] + "?" + scope["query_string"].decode()]
        for each in recorded.statements:
            with self.database.cursor() as cursor:
                cursor.execute(each.sql, each.parameters, prepare=each.keeps_plan, binary=True)
                cursor.fetchall()
        body = orjson.dumps(recorded.body)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    path, port = sys.argv[1:]
    uvicorn.run(
        BareServer(pickle.loads(Path(path).read_bytes())),
        port=int(port),
        loop="uvloop",
        http="httptools",
        lifespan="off",
        proxy_headers=False,
        access_log=False,
        log_level="warning",
    )
