"""The products of an account, as a person searches them (rules/messages §11)."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from django.core.cache import cache

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.tests.graph import Answer, GraphServer, fault
from conftest import ClientFor
from tests.factories import make_connection

ACCOUNT = "200000000000009"
CATALOG = Answer({"data": [{"id": "77", "name": "Loja"}]})
MUG = {
    "retailer_id": "SKU-1",
    "name": "Caneca",
    "price": "R$ 60,00",
    "image_url": "https://cdn.example/caneca.jpg",
    "availability": "in stock",
    "id": "900",
}
GONE = {
    "retailer_id": "SKU-2",
    "name": "",
    "image_url": "http://x/a",
    "availability": "out of stock",
}


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, name="Loja", waba_id=ACCOUNT)


@pytest.fixture
def products(client_for: ClientFor, agent: User, number: Connection) -> Any:
    def ask(search: str = "", user: User = agent, of: Connection = number) -> Any:
        address = f"/api/whatsapp/{of.pk}/products"
        return client_for(user).get(address, {"searchParam": search})

    return ask


def filters(graph: GraphServer) -> list[Any]:
    """Return the filters that Meta was asked with, None for a call without one."""
    asked = []
    for call in graph.calls:
        [text] = parse_qs(urlsplit(call.path).query).get("filter", ["null"])
        asked.append(orjson.loads(text))
    return asked


def test_products_are_listed_with_their_catalogue(products: Any, graph: GraphServer) -> None:
    graph.places = {
        "product_catalogs": CATALOG,
        "products": Answer({"data": [MUG, GONE, {}], "paging": {"next": "https://x"}}),
    }
    answer = products().json()
    assert answer["catalog"] == {"id": "77", "name": "Loja"}
    assert answer["products"] == [
        {
            "id": "SKU-1",
            "name": "Caneca",
            "price": "R$ 60,00",
            "imageUrl": "https://cdn.example/caneca.jpg",
            "available": True,
        },
        {"id": "SKU-2", "name": "SKU-2", "price": "", "imageUrl": "", "available": False},
    ]
    assert answer["hasMore"] is True
    assert urlsplit(graph.calls[-1].path).path.endswith("/77/products")


def test_a_search_is_metas_filter_and_is_kept(products: Any, graph: GraphServer) -> None:
    graph.places = {"product_catalogs": CATALOG, "products": Answer({"data": [MUG]})}
    assert products(" caneca  azul").json()["hasMore"] is False
    assert products("Caneca azul").json()["products"]
    assert filters(graph) == [None, {"name": {"i_contains": "caneca azul"}}]


def test_no_catalogue_is_told_and_not_kept(products: Any, graph: GraphServer) -> None:
    graph.places = {"product_catalogs": Answer({"data": []})}
    assert products().json() == {"catalog": None, "products": [], "hasMore": False}
    graph.places = {"product_catalogs": CATALOG, "products": Answer({"data": [MUG]})}
    assert products().json()["catalog"]["id"] == "77"


@pytest.mark.parametrize("place", ["product_catalogs", "products"])
def test_a_fault_of_metas_is_told_in_words(products: Any, graph: GraphServer, place: str) -> None:
    graph.places = {"product_catalogs": CATALOG, place: fault(200, "(#200) Permissions error")}
    answer = products()
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_CATALOG_UNAVAILABLE")
    assert answer.json()["message"]


def test_only_the_companys_official_numbers_have_products(
    products: Any, acme: Company, outsider: User, agent: User
) -> None:
    assert products(user=outsider).status_code == 404
    session = make_connection(acme, name="QR", provider=ProviderKind.BETA)
    answer = products(of=session)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_INTERACTIVE_NOT_SUPPORTED")
    assert products("x" * 101).status_code == 400


def test_an_odd_catalogue_is_none(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [Answer({"data": [{"id": "../me"}, "x"]})]
    assert provider.catalog(ACCOUNT) is None
    with pytest.raises(ProviderError):
        provider.search_products("../me", "")
