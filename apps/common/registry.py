"""Lets a lower app call a higher one without importing it.

The lower app declares a `Hook`; the higher one registers a function in its `ready()`.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec

Parameters = ParamSpec("Parameters")


class Hook(Generic[Parameters]):
    """A named moment: every registered function is called, in the order of registration."""

    def __init__(self) -> None:
        self._functions: list[Callable[Parameters, None]] = []

    def register(self, function: Callable[Parameters, None]) -> None:
        if function not in self._functions:
            self._functions.append(function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        """Call all registered functions in the caller's transaction."""
        for function in self._functions:
            function(*args, **kwargs)
