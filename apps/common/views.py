"""The browser application's page, its offline worker, and the OpenAPI schema."""

from functools import lru_cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.content_policy import content_security_policy, signup_sources


class ProbeSerializer(serializers.Serializer[Any]):
    """The version of the installation."""

    version = serializers.CharField()


# The rendered schemas by media type, filled under the lock.
_schemas: dict[str, bytes | str] = {}
_making_schema = Lock()


@lru_cache(maxsize=1)
def _index(modified_ns: int) -> bytes:
    return (settings.FRONTEND_DIST / "index.html").read_bytes()


def browser_application(request: HttpRequest) -> HttpResponse:
    """Serve the application's page for every path without another view."""
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
        # Meta's signup window posts its result to its opener, so this page must stay its opener.
        response["Cross-Origin-Opener-Policy"] = "same-origin-allow-popups"
    return response


def offline_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker of the offline notice.

    Its address is at the root, so that its scope covers all pages.
    """
    try:
        script = (settings.FRONTEND_DIST / "sw.js").read_bytes()
    except FileNotFoundError as error:
        raise Http404 from error
    response = HttpResponse(script, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema as YAML or JSON, generated once and kept for later requests.

    Anybody may read it, and generating it blocks the whole process for a second. Without the cache
    a few clients that keep asking could block the server.
    """

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the schema in the accepted media type; concurrent requests share one
        generation.
        """
        renderer: BaseRenderer = request.accepted_renderer
        kind = renderer.media_type
        with _making_schema:
            if kind not in _schemas:
                generator: Any = self.generator_class()
                made = generator.get_schema(request=None, public=True)
                _schemas[kind] = renderer.render(made)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        response = HttpResponse(_schemas[kind], content_type=f"{kind}{charset}")
        response["Content-Disposition"] = f'inline; filename="balcao.{renderer.format}"'
        return response


class ProbeView(APIView):
    """What older browsers ask first, to know that the address is right."""

    authentication_classes = ()

    @extend_schema(operation_id="probe", responses=ProbeSerializer, auth=[])
    def get(self, request: Request) -> Response:
        """Return the version of the installation."""
        return Response({"version": settings.VERSION})
