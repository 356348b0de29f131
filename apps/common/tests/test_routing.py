import pytest
from django.urls import Resolver404, URLResolver, re_path, resolve, reverse
from django.urls.resolvers import RegexPattern

from apps.common.routing import by_first_word, route
from apps.common.views import browser_application


def test_patterns_are_found_by_their_first_word() -> None:
    tree = by_first_word(
        [
            route(r"tags/(?P<id>\d+)", browser_application, "first"),
            route("tag-rules", browser_application, "rules"),
            route("tags/list", browser_application, "second"),
            route(r"tags/(?P<id>\d+)", browser_application, "hidden"),
        ]
    )
    root = URLResolver(RegexPattern(r"^/"), [tree])
    assert root.resolve("/tags/7").url_name == "first"
    assert root.resolve("/tags/7/").kwargs == {"id": "7"}
    assert root.resolve("/tags/list").url_name == "second"
    assert root.resolve("/tag-rules").url_name == "rules"
    for path in ("/tags", "/tag", "/tagsx/7", "/"):
        with pytest.raises(Resolver404):
            root.resolve(path)
    assert root.reverse("first", id=7) == "tags/7"


def test_the_apis_addresses_are_found_and_made() -> None:
    for path in ("/api/tickets/7/", "/api/tickets/7", "/api/tags/list"):
        match = resolve(path)
        assert reverse(str(match.view_name), kwargs=match.kwargs).rstrip("/") == path.rstrip("/")


def test_a_pattern_without_a_plain_first_word_is_refused() -> None:
    with pytest.raises(ValueError, match="plain word"):
        by_first_word([re_path(r"^tags?/$", browser_application)])
