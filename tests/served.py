"""The product as it serves people, for calls that are generated: each finds the same records.

On PostgreSQL, over the network, and behind a wall: the server reaches no other machine.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import pytest
import requests
from django.core.cache import cache
from django.db import connection as database
from django.db import transaction

from tests.product import GATEWAY_SECRET
from tests.sockets import RealtimeServer, realtime_servers
from tests.worlds import World

ANSWER_SECONDS = 30.0
META_SECRET = "the-app-secret-of-the-tests"
NOBODY_LISTENS = "http://127.0.0.1:1"
# Whom the product would call.
OTHERS = (
    *("GRAPH_API_URL", "FACEBOOK_URL", "ASAAS_URL", "OPENAI_BASE_URL", "AZURE_SPEECH_URL"),
    "DIALOGFLOW_ENDPOINT",
)
NOTING = """CREATE FUNCTION kept.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kept.written VALUES (TG_TABLE_NAME);
    RETURN NULL;
END $$"""
# No triggers meanwhile, ours and those of foreign keys: the whole is as it was.
PUTTING_BACK = """CREATE FUNCTION kept.put_back() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    each text;
    columns text;
BEGIN
    IF NOT EXISTS (SELECT FROM kept.written) THEN
        RETURN;
    END IF;
    PERFORM set_config('session_replication_role', 'replica', true);
    FOR each IN SELECT DISTINCT name FROM kept.written LOOP
        EXECUTE format('DELETE FROM public.%I', each);
        -- Without those that the database fills itself.
        SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
        WHERE attrelid = format('public.%I', each)::regclass
        AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
        EXECUTE format(
            'INSERT INTO public.%I (%s) SELECT %s FROM kept.%I', each, columns, columns, each
        );
    END LOOP;
    DELETE FROM kept.written;
END $$"""


class KeptRecords:
    """All rows at one moment; `put_back` writes the tables anew that were written since.

    Which those are the server's own statements note, by a trigger on every table.
    """

    def __init__(self) -> None:
        self.tables = sorted(database.introspection.table_names())
        with transaction.atomic(), database.cursor() as cursor:
            cursor.execute("CREATE SCHEMA kept")
            cursor.execute("CREATE UNLOGGED TABLE kept.written (name text)")
            cursor.execute(NOTING)
            cursor.execute(PUTTING_BACK)
            for table in self.tables:
                cursor.execute(f'CREATE TABLE kept."{table}" AS TABLE public."{table}"')
                cursor.execute(
                    f"CREATE TRIGGER kept_note AFTER INSERT OR UPDATE OR DELETE ON"
                    f' public."{table}" FOR EACH STATEMENT EXECUTE FUNCTION kept.note()'
                )

    def put_back(self) -> None:
        """Write the rows again of every table that was written."""
        with database.cursor() as cursor:
            cursor.execute("SELECT kept.put_back()")

    def drop(self) -> None:
        """Keep nothing any more."""
        with database.cursor() as cursor:
            cursor.execute("DROP SCHEMA kept CASCADE")


@dataclass(frozen=True)
class Heard:
    """An answer, as `answer_faults` reads one; status 599: there was none."""

    url: str
    status_code: int
    headers: Any
    content: bytes
    streaming: bool = False


class Line:
    """A line to the server; whatever a call on it changed is undone."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.records = KeptRecords()
        self.opened_at = time.monotonic()
        self.session = requests.Session()
        self.session.trust_env = False
        # A call has the cookies that it names itself.
        self.session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def send(self, wire: requests.PreparedRequest) -> tuple[str, Heard]:
        """Make a call; return what was sent and the answer."""
        sent = f"{wire.method} {wire.url} {wire.headers} {wire.body!r:.2000}"
        url = str(wire.url)
        cache.clear()
        try:
            with self.session.send(wire, timeout=ANSWER_SECONDS, allow_redirects=False) as answer:
                heard = Heard(url, answer.status_code, answer.headers, answer.content)
        except requests.RequestException as failure:
            heard = Heard(url, 599, {}, repr(failure).encode())
        self.records.put_back()
        return sent, heard

    def hang_up(self) -> None:
        self.session.close()
        self.records.drop()


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[RealtimeServer]:
    """One server, walled."""
    told = {"META_APP_SECRET": META_SECRET, "GATEWAY_SECRET": GATEWAY_SECRET}
    with realtime_servers("walled", **told, **dict.fromkeys(OTHERS, NOBODY_LISTENS)) as [running]:
        yield running


@pytest.fixture
def line(server: RealtimeServer, world: World) -> Iterator[Line]:
    """Asked for when the test's own records are there."""
    opened = Line(server.url)
    yield opened
    opened.hang_up()
