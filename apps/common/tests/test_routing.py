import pytest
from django.urls import Resolver404, URLResolver, re_path, resolve, reverse
from django.urls.resolvers import RegexPattern

from apps.common.routing import branch, route
from apps.common.views import browser_application


def test_a_branch_takes_its_own_words_and_passes_the_others_on() -> None:
    first = branch([route(r"tags/(?P<id>\d+)", browser_application, "first")])
    second = branch(
        [
            route("tags/list", browser_application, "second"),
            route("tag-rules", browser_application, "rules"),
        ]
    )
    tree = URLResolver(RegexPattern(r"^/"), [first, second])
    assert tree.resolve("/tags/7").url_name == "first"
    assert tree.resolve("/tags/7/").kwargs == {"id": "7"}
    assert tree.resolve("/tags/list").url_name == "second"
    assert tree.resolve("/tag-rules").url_name == "rules"
    for path in ("/tags", "/tag", "/tagsx/7", "/"):
        with pytest.raises(Resolver404):
            tree.resolve(path)
    assert tree.reverse("first", id=7) == "tags/7"


def test_the_apis_addresses_are_found_and_made_through_branches() -> None:
    for path in ("/api/tickets/7/", "/api/tickets/7", "/api/tags/list"):
        match = resolve(path)
        assert reverse(str(match.view_name), kwargs=match.kwargs).rstrip("/") == path.rstrip("/")


def test_a_pattern_without_a_plain_first_word_has_no_branch() -> None:
    with pytest.raises(ValueError, match="plain word"):
        branch([re_path(r"^tags?/$", browser_application)])
