"""The rooms that the server itself puts every socket into (rules/realtime §2)."""


def company_room(company_id: int) -> str:
    """Return the room of everyone in a company."""
    return f"company:{company_id}"


def user_room(user_id: int) -> str:
    """Return the room of one user's sockets."""
    return f"user:{user_id}"
