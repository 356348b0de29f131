"""Reads that every open browser makes all day."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpResponse

Read = TypeVar("Read", bound=Callable[..., HttpResponse])


def hot(read: Read) -> Read:
    """Mark a view's GET that is answered in front of Django (`config.hot_lane`).

    It must answer with `answered`, and may use only the caller and the query of its request.
    """
    vars(read)["is_hot"] = True
    return read


def is_hot(read: Any) -> bool:
    """Tell whether a view's method is marked."""
    return bool(getattr(read, "is_hot", False))
