"""The rows of an edge of the graph, page by page."""

import time
from typing import Any

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient

PAGE_SIZE = 200
# An account holds at most 6,000 templates, which are its longest list.
MOST_PAGES = 40
# A person waits for the list, so the total time is bounded.
PATIENCE_SECONDS = 25.0


def check_account_id(account_id: str) -> None:
    """Raise ProviderError for what can't be the id of a business account."""
    if not account_id.isascii() or not account_id.isalnum():
        raise ProviderError(
            "A identificação da conta do WhatsApp Business não é válida. Confira a conexão.",
            reason=ReasonCode.BAD_ID,
            code="bad_account_id",
            permanent=True,
        )


def all_rows(client: GraphClient, path: str, fields: str) -> list[dict[str, Any]]:
    """Return all rows of an edge, as Meta lists them.

    Raises ProviderError, also for an unreadable answer and when the pages take too long.
    """
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    after = ""
    until = time.monotonic() + PATIENCE_SECONDS
    for _ in range(MOST_PAGES):
        query = {"fields": fields, "limit": str(PAGE_SIZE), **({"after": after} if after else {})}
        answer = client.get(path, **query)
        found += rows_of(answer)
        after = next_cursor(answer.get("paging"))
        if not after or after in seen:
            break
        seen.add(after)
        if time.monotonic() > until:
            raise ProviderError(
                "A Meta não respondeu a tempo.", reason=ReasonCode.TIMEOUT, code="timeout"
            )
    return found


def rows_of(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of one answer; raises ProviderError for one that has no list of them."""
    rows = answer.get("data")
    if not isinstance(rows, list):
        raise ProviderError(
            "A resposta da Meta não pôde ser lida.",
            reason=ReasonCode.MALFORMED_ANSWER,
            code="malformed_answer",
        )
    return [row for row in rows if isinstance(row, dict)]


def next_cursor(paging: Any) -> str:
    """Return the cursor of the next page; the last page has a cursor too, but no `next`."""
    if not isinstance(paging, dict) or not paging.get("next"):
        return ""
    cursors = paging.get("cursors")
    after = cursors.get("after") if isinstance(cursors, dict) else None
    return after if isinstance(after, str) else ""
