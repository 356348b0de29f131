"""The call on the products of a number's account (rules/messages §11)."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.serializers import query_values, row_of, rows_of
from apps.connections import services
from apps.connections.serializers.catalogs import (
    ProductCatalogSerializer,
    ProductListSerializer,
    ProductQuerySerializer,
    ProductSerializer,
)
from apps.connections.views.templates import connection_of


class CatalogCalls:
    """The products of a number's account, for the viewset of connections."""

    @extend_schema(
        operation_id="listProducts",
        parameters=[ProductQuerySerializer],
        responses=ProductListSerializer,
    )
    @action(detail=True, methods=["get"], url_path="products", url_name="products")
    def list_products(self, request: Request, connection_id: str) -> Response:
        """Return the first 50 products of the account's catalogue, or of a search in it."""
        connection = connection_of(request, connection_id)
        search = query_values(ProductQuerySerializer, request.query_params).get("search", "")
        catalog = services.catalog_of(connection)
        if catalog is None:
            return Response({"catalog": None, "products": [], "hasMore": False})
        found = services.products_of(connection, catalog, search=search)
        return Response(
            {
                "catalog": row_of(ProductCatalogSerializer, catalog),
                "products": rows_of(ProductSerializer, found.rows),
                "hasMore": found.has_more,
            }
        )
