"""The browser application's one page."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.content_policy import content_security_policy, signup_sources


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
    if signup := signup_sources():
        policy = content_security_policy(settings.PUBLIC_URL, signup)
        response["Content-Security-Policy"] = policy
        # Meta's window keeps its opener, to which it posts what came of it.
        response["Cross-Origin-Opener-Policy"] = "same-origin-allow-popups"
    return response
