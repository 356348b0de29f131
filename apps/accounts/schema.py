"""How the OpenAPI schema names our authentication."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Bearer access tokens."""

    target_class = "apps.accounts.authentication.TokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme as OpenAPI writes it."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
