"""What reports of errors hold where the operator has them sent (SENTRY_DSN)."""

from typing import Any


def without_queries(crumb: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return a call that went out before an error, without what only its two ends may know."""
    data = crumb.get("data") or {}
    for name in ("http.query", "http.fragment"):
        data.pop(name, None)
    return crumb


# Customers' words and secrets stand in variables, bodies and queries: none of them leaves.
REPORTS: dict[str, Any] = {
    "send_default_pii": False,
    "include_local_variables": False,
    "max_request_body_size": "never",
    "before_breadcrumb": without_queries,
}
