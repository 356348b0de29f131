"""Authentication by access token (specification 4 §10)."""

from typing import TYPE_CHECKING, Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

if TYPE_CHECKING:
    from apps.accounts.models import User


class TokenAuthentication(BaseAuthentication):
    """Bearer access tokens."""

    def authenticate(self, request: Request) -> "tuple[User, Any] | None":
        """Return the token's user, or None without a token."""
        return None

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme."""
        return "Bearer"
