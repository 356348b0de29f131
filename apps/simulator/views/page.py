"""The phone page, and a substitute for Facebook's signup window."""

from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

FACEBOOK = Path(__file__).resolve().parent.parent / "facebook"
FACEBOOK_TYPES = {".html": "text/html", ".js": "text/javascript"}


@lru_cache(maxsize=1)
def _page(modified_ns: int) -> bytes:
    return (settings.FRONTEND_DIST / "simulator.html").read_bytes()


def phone_page(request: HttpRequest) -> HttpResponse:
    """Serve the page on which a developer acts as the customers."""
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


def facebook_file(request: HttpRequest, name: str) -> HttpResponse:
    """Serve the script that opens the signup window, or the window's page."""
    path = FACEBOOK / name
    if not path.is_file():
        raise Http404
    response = HttpResponse(
        path.read_bytes(), content_type=f"{FACEBOOK_TYPES[path.suffix]}; charset=utf-8"
    )
    # The window must keep its opener, as Facebook's does.
    response["Cross-Origin-Opener-Policy"] = "unsafe-none"
    return response
