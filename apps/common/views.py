"""The browser application's one page."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse


@lru_cache(maxsize=1)
def _index(modified_ns: int) -> bytes:
    return (settings.FRONTEND_DIST / "index.html").read_bytes()


def browser_application(request: HttpRequest) -> HttpResponse:
    """Serve the application's one page for every path that nothing else owns."""
    try:
        modified = (settings.FRONTEND_DIST / "index.html").stat().st_mtime_ns
    except FileNotFoundError:
        return HttpResponse(
            "The browser application is not built. Run `make setup`.",
            status=503,
            content_type="text/plain",
        )
    response = HttpResponse(_index(modified), content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response
