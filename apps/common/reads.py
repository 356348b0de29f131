"""Reads that every open browser makes all day, with no more of DRF than a read needs."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.common.renderers import means_json


class HotRead(APIView):
    """A view whose GETs leave out what they have not: a body, throttles, a version, a format.

    Who calls and whether they may is asked as of every call, and refusals are answered as by every
    call. A method that answers with `answered` spares DRF's `Response`, too.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer a GET; all else goes DRF's way."""
        if request.method != "GET" or not means_json(request):
            return super().dispatch(request, *args, **kwargs)
        self.args, self.kwargs = args, kwargs
        self.headers = self.default_response_headers
        call = Request(request, authenticators=self.get_authenticators())
        call.accepted_renderer = self.get_renderers()[0]
        call.accepted_media_type = call.accepted_renderer.media_type
        self.request = call
        try:
            self.perform_authentication(call)
            self.check_permissions(call)
            answer: Any = getattr(self, "get", self.http_method_not_allowed)
            response = answer(call, *args, **kwargs)
        except Exception as error:
            response = self.handle_exception(error)
        return self.finalize_response(call, response, *args, **kwargs)
