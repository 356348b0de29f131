from typing import Any

import pytest
from django.test import Client

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", ["/api/x", "/api/x/", "/api/tickets/x/y/z/"])
def test_what_has_no_owner_under_api_is_refused_as_a_call(
    settings: Any, method: str, path: str
) -> None:
    settings.DEBUG = False
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answer = getattr(client, method)(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == {
        "error": "Este endereço não existe.",
        "code": "ERR_NOT_FOUND",
        "message": "Este endereço não existe.",
        "fields": {},
    }


def test_what_only_begins_like_it_is_the_browser_applications(settings: Any) -> None:
    settings.DEBUG = False
    answer = Client().get("/apiary")
    assert answer["Content-Type"].startswith(("text/html", "text/plain"))
    assert answer.status_code != 404
