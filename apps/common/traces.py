"""Traces by OpenTelemetry, for operators who name a collector (OTEL_EXPORTER_OTLP_ENDPOINT).

A trace is one answered request or one start of a worker's task, with each statement and each call
to another service in it. A span has the ids that the log's lines have (`apps.common.log_ids`), the
view, the status, the server's name and the statement's text. It never has an address's query, a
body, a statement's values or an exception's words: customers' words and secrets stand there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db.backends.signals import connection_created
from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode

from apps.common import log_ids

# Without a provider its spans cost next to nothing and go nowhere.
tracer = trace.get_tracer("balcao")
# A page's longest statement has 5,000 characters.
MOST_SQL = 10_000


def send_traces(process: str) -> None:
    """Send this process's traces to the operator's collector, if there is one.

    `process` is the service's name, such as "balcao-worker". OTEL_TRACES_SAMPLER_ARG is the share
    of traces that is sent, 0 to 1; the other OTEL_… variables are the library's own.
    """
    if not settings.TRACES_URL:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415  2 MB
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased  # noqa: PLC0415
    from opentelemetry.util.re import parse_env_headers  # noqa: PLC0415

    about = {"service.name": process, "service.version": settings.VERSION}
    provider = TracerProvider(
        resource=Resource.create(about),
        sampler=ParentBased(TraceIdRatioBased(settings.TRACES_SHARE)),
    )
    exporter = OTLPSpanExporter(
        endpoint=f"{settings.TRACES_URL}/v1/traces",
        headers=parse_env_headers(settings.TRACES_HEADERS, liberal=True),
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    connection_created.connect(_trace_statements)


@contextmanager
def traced(name: str, kind: SpanKind = SpanKind.INTERNAL, **attributes: Any) -> Iterator[Span]:
    """Make what happens inside a span; the kind of an exception is noted, not its words."""
    with tracer.start_as_current_span(
        name,
        kind=kind,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", type(error).__name__)
            raise
        finally:
            if span.is_recording():
                span.set_attributes(_ids())


def traced_call(method: str, host: str) -> Any:
    """Make a call to another service a span."""
    about = {"http.request.method": method, "server.address": host}
    return traced(f"{method} {host}", SpanKind.CLIENT, **about)


def name_request(view: str, method: str, status: int) -> None:
    """Name the span of a request by its view, as the figures do, and note how it was answered."""
    span = trace.get_current_span()
    if span.is_recording():
        span.update_name(f"{method} {view or 'other'}")
        span.set_attribute("http.request.method", method)
        span.set_attribute("http.response.status_code", status)
        if status >= 500:
            span.set_status(StatusCode.ERROR)


def note_row() -> None:
    """Note in the span which row of work is begun, by the ids of the log's lines."""
    trace.get_current_span().add_event("row", _ids())


def _ids() -> dict[str, int | str]:
    return {f"balcao.{name}": value for name, value in log_ids.present().items()}


def _trace_statements(connection: Any, **kwargs: Any) -> None:
    if _traced_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_traced_statement)


def _traced_statement(
    execute: Callable[..., Any],
    sql: Any,
    params: Any,
    many: Any,
    context: dict[str, Any],
) -> Any:
    text = str(sql).strip()
    about = {
        "db.system.name": context["connection"].display_name.lower(),
        "db.query.text": text[:MOST_SQL],
    }
    with traced(text.split(maxsplit=1)[0].upper(), SpanKind.CLIENT, **about):
        return execute(sql, params, many, context)
