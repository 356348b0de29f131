"""What a process of the web has loaded, its garbage collector does not look through again."""

import gc
import importlib

from django.urls import get_resolver


def test_the_collector_leaves_alone_what_is_loaded_for_good() -> None:
    importlib.import_module("config.asgi")
    assert "url_patterns" in vars(get_resolver()), "the first request would load every view"
    assert gc.get_freeze_count() > 50_000
