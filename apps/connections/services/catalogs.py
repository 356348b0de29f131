"""The products of a number's account, as a person chooses them (rules/messages §11)."""

import hashlib
from collections.abc import Sequence

from django.conf import settings

from apps.common.errors import DomainError
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.catalogs import Catalog, Product, Products
from apps.connections.services.graph_cache import keep, kept
from apps.connections.services.provision import official_provider_for, token_of

READ_SECONDS = 10.0


class InteractiveNotSupported(DomainError):
    """A QR session sends text where the official API has buttons, lists and products."""

    code = "ERR_INTERACTIVE_NOT_SUPPORTED"
    message = (
        "Só números da API oficial enviam botões, listas, pedidos e produtos. Escreva um texto."
    )


class CatalogUnavailable(DomainError):
    """Meta failed to tell the catalogue or its products; the sentence is Meta's reason."""

    status = 424
    code = "ERR_CATALOG_UNAVAILABLE"
    message = "O catálogo não pôde ser lido na Meta. Tente de novo."


class NoCatalog(DomainError):
    """The account has no catalogue."""

    status = 409
    code = "ERR_NO_CATALOG"
    message = (
        "Nenhum catálogo está ligado a esta conta. No Gerenciador do WhatsApp, abra Catálogo e"
        " conecte um."
    )


class ProductNotFound(DomainError):
    """The catalogue has no product with this id."""

    code = "ERR_PRODUCT_NOT_FOUND"
    message = "Este produto não está mais no catálogo. Escolha outro."


def catalog_of(connection: Connection) -> Catalog | None:
    """Return the catalogue of a number's account, kept for ten minutes; None without one.

    Raises InteractiveNotSupported and CatalogUnavailable. Never call it inside a transaction.
    """
    if connection.provider != ProviderKind.OFFICIAL:
        raise InteractiveNotSupported
    key = _key(connection, "catalog")
    catalog: Catalog | None = kept(key)
    # That there is none is not kept: who connects one wants to see it.
    if catalog is None:
        provider = official_provider_for(connection, read_seconds=READ_SECONDS)
        try:
            catalog = provider.catalog(connection.waba_id)
        except ProviderError as error:
            raise CatalogUnavailable(error.message, extra=error.reason.on_wire()) from error
        if catalog is not None:
            keep(key, catalog)
    return catalog


def products_of(connection: Connection, catalog: Catalog, *, search: str = "") -> Products:
    """Return the first 50 products whose name holds a text, kept for ten minutes.

    Raises CatalogUnavailable. Never call it inside a transaction.
    """
    search = " ".join(search.split())
    key = _key(connection, f"products {catalog.id} {search.casefold()}")
    found: Products | None = kept(key)
    if found is None:
        provider = official_provider_for(connection, read_seconds=READ_SECONDS)
        try:
            found = provider.search_products(catalog.id, search)
        except ProviderError as error:
            raise CatalogUnavailable(error.message, extra=error.reason.on_wire()) from error
        keep(key, found)
    return found


def find_products(connection: Connection, ids: Sequence[str]) -> tuple[Catalog, dict[str, Product]]:
    """Return the account's catalogue, and those of the products with these ids that it has.

    Raises InteractiveNotSupported, NoCatalog and CatalogUnavailable. Never call it inside a
    transaction.
    """
    catalog = catalog_of(connection)
    if catalog is None:
        raise NoCatalog
    if not ids:
        return catalog, {}
    provider = official_provider_for(connection, read_seconds=READ_SECONDS)
    try:
        found = provider.find_products(catalog.id, ids)
    except ProviderError as error:
        raise CatalogUnavailable(error.message, extra=error.reason.on_wire()) from error
    return catalog, {product.id: product for product in found.rows}


def _key(connection: Connection, what: str) -> str:
    source = f"{settings.GRAPH_API_URL} {connection.waba_id} {token_of(connection)} {what}"
    return f"catalog:{connection.pk}:{hashlib.sha256(source.encode()).hexdigest()[:24]}"
