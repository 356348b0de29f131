"""The log, and error reports if the operator wants them (SENTRY_DSN)."""

import logging
import re
from typing import Any

# Older browsers put e-mail, code and new password into the address (rules/accounts §11). Django
# logs the address of what it refuses.
_SECRET_ADDRESS = re.compile(r"(/(?:resetpasswords|forgetpassword)/).*")


def without_passwords(text: str) -> str:
    """Return a text in which addresses end before their password."""
    return _SECRET_ADDRESS.sub(r"\1…", text)


class LogLine(logging.Formatter):
    """A line of the log, its traceback too, without passwords of addresses."""

    def format(self, record: logging.LogRecord) -> str:
        return without_passwords(super().format(record))


def log_settings(level: str) -> dict[str, Any]:
    """Return Django's LOGGING at the operator's level; talkative libraries begin at warnings."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "config.reports.LogLine",
                "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "httpx": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "celery.worker.consumer.connection": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
        },
    }


def without_secrets(report: Any, hint: Any = None) -> Any:
    """Return a report of an error without passwords of addresses, wherever in it they stand."""
    if isinstance(report, str):
        return without_passwords(report)
    if isinstance(report, dict):
        return {name: without_secrets(value) for name, value in report.items()}
    if isinstance(report, list | tuple):
        return [without_secrets(each) for each in report]
    return report


def without_queries(crumb: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return the record of an outgoing call without its query, which may hold secrets."""
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
    "before_send": without_secrets,
    "before_send_transaction": without_secrets,
}
