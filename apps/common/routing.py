"""Routers and paths that answer with and without a trailing slash (rules/wire §5)."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, re_path
from rest_framework.routers import SimpleRouter


class Router(SimpleRouter):
    """DRF's router with an optional trailing slash; ids are whole numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.trailing_slash = "/?"


def route(pattern: str, view: Callable[..., Any], name: str) -> URLPattern:
    """Return a named path whose trailing slash is optional; `pattern` is a regular expression."""
    return re_path(rf"^{pattern}/?$", view, name=name)
