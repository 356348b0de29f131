"""The product catalogue of a business account.

developers.facebook.com/docs/graph-api/reference/whats-app-business-account/product_catalogs and
…/docs/marketing-api/reference/product-catalog/products, which advises against reading all pages:
a search is a filter of Meta's.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import check_account_id, rows_of

FIELDS = "retailer_id,name,price,image_url,availability"
PAGE_SIZE = 50
TEXT_LENGTH = 300
URL_LENGTH = 2000
# Meta's words for what can't be bought now.
GONE = frozenset({"out of stock", "discontinued"})


@dataclass(frozen=True)
class Catalog:
    """The product catalogue of a business account; `id` is Meta's, `name` may be empty."""

    id: str
    name: str = ""


@dataclass(frozen=True)
class Product:
    """A product by the seller's own id (`retailer_id`); the price is as Meta words it."""

    id: str
    name: str
    price: str = ""
    image_url: str = ""
    is_available: bool = True


@dataclass(frozen=True)
class Products:
    """The first products that a search finds; `has_more` tells that there are others."""

    rows: tuple[Product, ...]
    has_more: bool = False


def catalog_of(client: GraphClient, account_id: str) -> Catalog | None:
    """Return the catalogue that is connected to an account, which has at most one."""
    check_account_id(account_id)
    rows = rows_of(client.get(f"{account_id}/product_catalogs", fields="id,name"))
    for row in rows:
        if re.fullmatch(r"[0-9]+", catalog_id := _text(row.get("id")), re.ASCII):
            return Catalog(catalog_id, _text(row.get("name")))
    return None


def search_products(client: GraphClient, catalog_id: str, search: str) -> Products:
    """Return products whose name holds a text, without one any; the first 50."""
    wanted = {"name": {"i_contains": search}} if search else {}
    return _products(client, catalog_id, wanted, PAGE_SIZE)


def find_products(client: GraphClient, catalog_id: str, ids: Sequence[str]) -> Products:
    """Return the products with these ids of the seller's."""
    return _products(client, catalog_id, {"retailer_id": {"is_any": list(ids)}}, len(ids))


def _products(client: GraphClient, catalog_id: str, wanted: dict[str, Any], most: int) -> Products:
    if not re.fullmatch(r"[0-9]+", catalog_id, re.ASCII):
        raise ProviderError(
            "A identificação do catálogo não é válida.",
            reason=ReasonCode.BAD_ID,
            code="bad_catalog_id",
            permanent=True,
        )
    query = {"filter": orjson.dumps(wanted).decode()} if wanted else {}
    answer = client.get(f"{catalog_id}/products", fields=FIELDS, limit=str(most), **query)
    paging = answer.get("paging")
    found = [_product(row) for row in rows_of(answer)]
    rows = tuple(each for each in found if each.id)[:most]
    return Products(rows, has_more=isinstance(paging, dict) and bool(paging.get("next")))


def _product(row: dict[str, Any]) -> Product:
    product_id, picture = _text(row.get("retailer_id")), _text(row.get("image_url"), URL_LENGTH)
    return Product(
        id=product_id,
        name=_text(row.get("name")) or product_id,
        price=_text(row.get("price")),
        image_url=picture if picture.startswith("https://") else "",
        is_available=_text(row.get("availability")).lower() not in GONE,
    )


def _text(value: Any, length: int = TEXT_LENGTH) -> str:
    return value[:length] if isinstance(value, str) else ""
