"""The phone page."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse


@lru_cache(maxsize=1)
def _page(modified_ns: int) -> bytes:
    return (settings.FRONTEND_DIST / "simulator.html").read_bytes()


def phone_page(request: HttpRequest) -> HttpResponse:
    """Serve the page on which a person plays customers."""
    try:
        modified = (settings.FRONTEND_DIST / "simulator.html").stat().st_mtime_ns
    except FileNotFoundError:
        return HttpResponse(
            "The phone page is not built. Run `make setup`.",
            status=503,
            content_type="text/plain",
        )
    response = HttpResponse(_page(modified), content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response
