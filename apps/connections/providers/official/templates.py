"""The list of an account's message templates, page by page.

developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates.
"""

import time
from typing import Any

from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient

FIELDS = "id,name,status,language,category,parameter_format,components"
PAGE_SIZE = 200
# An account holds at most 6,000 templates.
MOST_PAGES = 40
# Somebody waits for the list; an endless one is no list.
PATIENCE_SECONDS = 25.0


def list_templates(client: GraphClient, account_id: str) -> list[dict[str, Any]]:
    """Return all templates of an account, whatever their status, as Meta shows them.

    Raises ProviderError, also when an answer can't be read or the pages take too long.
    """
    if not account_id.isascii() or not account_id.isalnum():
        raise ProviderError(
            "A identificação da conta do WhatsApp Business não é válida. Confira a conexão.",
            code="bad_account_id",
            permanent=True,
        )
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    after = ""
    until = time.monotonic() + PATIENCE_SECONDS
    for _ in range(MOST_PAGES):
        query = {"fields": FIELDS, "limit": str(PAGE_SIZE), **({"after": after} if after else {})}
        answer = client.get(f"{account_id}/message_templates", **query)
        rows = answer.get("data")
        if not isinstance(rows, list):
            raise ProviderError("A resposta da Meta não pôde ser lida.", code="malformed_answer")
        found += [row for row in rows if isinstance(row, dict)]
        after = _next_cursor(answer.get("paging"))
        if not after or after in seen:
            break
        seen.add(after)
        if time.monotonic() > until:
            raise ProviderError("A Meta não respondeu a tempo.", code="timeout")
    return found


def _next_cursor(paging: Any) -> str:
    """Return the cursor of the next page; the last page still has one, but no `next`."""
    if not isinstance(paging, dict) or not paging.get("next"):
        return ""
    cursors = paging.get("cursors")
    after = cursors.get("after") if isinstance(cursors, dict) else None
    return after if isinstance(after, str) else ""
