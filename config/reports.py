"""The log, and error reports if the operator wants them (SENTRY_DSN)."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from opentelemetry import trace
from opentelemetry.trace import format_trace_id

from apps.common import log_ids

# Older browsers put e-mail, code and new password into the address (rules/accounts §11). Django
# logs the address of what it refuses.
_SECRET_ADDRESS = re.compile(r"(/(?:resetpasswords|forgetpassword)/).*")


def without_passwords(text: str) -> str:
    """Return a text in which addresses end before their password."""
    return _SECRET_ADDRESS.sub(r"\1…", text)


# An e-mail address keeps its server, a number of a telephone its last two digits.
_EMAIL = re.compile(r"[\w.+-]{1,64}@(?=[\w-])")
_NUMBER = re.compile(r"(?<![\w.:/-])\+?[0-9]{8,13}([0-9]{2})(?![\w:-])", re.ASCII)


def masked(text: str) -> str:
    """Return a text without people's numbers, e-mail addresses and passwords of addresses."""
    return _NUMBER.sub(r"…\1", _EMAIL.sub("…@", without_passwords(text)))


class LogLine(logging.Formatter):
    """A line of the log, its traceback too, without passwords of addresses."""

    def format(self, record: logging.LogRecord) -> str:
        return without_passwords(super().format(record))


class JsonLine(logging.Formatter):
    """A line as a JSON object: time in UTC, level, logger, message, traceback, and the ids of what
    is being done (`apps.common.log_ids`); people's numbers and e-mail addresses are masked.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
            **log_ids.present(),
            **_trace(),
        }
        if record.exc_info:
            line["traceback"] = masked(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def _trace() -> dict[str, str]:
    """Return the id of the trace that is being made, for the way from a line to its trace."""
    context = trace.get_current_span().get_span_context()
    return {"trace": format_trace_id(context.trace_id)} if context.is_valid else {}


LINES = {"text": "config.reports.LogLine", "json": "config.reports.JsonLine"}


def log_settings(level: str, form: str = "text") -> dict[str, Any]:
    """Return Django's LOGGING at the operator's level, in one of the forms of `LINES`.

    Talkative libraries begin at warnings. Raises ImproperlyConfigured for an unknown form.
    """
    if form not in LINES:
        raise ImproperlyConfigured(f"LOG_FORMAT is one of {', '.join(LINES)}.")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": LINES[form],
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
