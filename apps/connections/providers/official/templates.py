"""The list of an account's message templates.

developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates.
"""

from typing import Any

from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import all_rows, check_account_id

FIELDS = "id,name,status,language,category,parameter_format,components"


def list_templates(client: GraphClient, account_id: str) -> list[dict[str, Any]]:
    """Return all templates of an account, whatever their status, as Meta shows them.

    Raises ProviderError, also when an answer can't be read or the pages take too long.
    """
    check_account_id(account_id)
    return all_rows(client, f"{account_id}/message_templates", FIELDS)
