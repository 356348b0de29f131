"""The product catalogue of every simulated account, in the format of Meta's lists."""

import json
from typing import Any

Part = dict[str, Any]

CATALOG = {"id": "700000000000001", "name": "Loja Casa Aroeira"}


def _product(number: int, retailer_id: str, name: str, price: str, stock: str = "in stock") -> Part:
    return {
        "id": f"7100000000000{number:02}",
        "retailer_id": retailer_id,
        "name": name,
        "price": price,
        "availability": stock,
    }


PRODUCTS = [
    _product(1, "caneca-gres", "Caneca de grés", "R$ 64,00"),
    _product(2, "caneca-azul", "Caneca azul-cobalto", "R$ 69,00"),
    _product(3, "prato-raso", "Prato raso", "R$ 82,00"),
    _product(4, "travessa-azul", "Travessa azul", "R$ 189,00"),
    _product(5, "jogo-de-jantar", "Jogo de jantar com 16 peças", "R$ 980,00"),
    _product(6, "vaso-alto", "Vaso alto", "R$ 240,00", "out of stock"),
]


def is_product(retailer_id: object) -> bool:
    return any(each["retailer_id"] == retailer_id for each in PRODUCTS)


def matching(given: str) -> list[Part]:
    """Return the products that Meta's `filter` lets through; raises ValueError for one that is
    none.
    """
    wanted = json.loads(given or "{}")
    if not isinstance(wanted, dict):
        raise ValueError(given)
    words = str(wanted.get("name", {}).get("i_contains", "")).casefold()
    ids = wanted.get("retailer_id", {}).get("is_any")
    return [
        each
        for each in PRODUCTS
        if words in each["name"].casefold() and (ids is None or each["retailer_id"] in ids)
    ]
