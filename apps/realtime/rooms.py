"""The rooms that the server itself puts every socket into (rules/realtime §2)."""

# Of each room, the part of those who get numbers of contacts masked.
MASKED = "masked/"
# Every signed-in socket of every company.
EVERYONE = "everyone"


def company_room(company_id: int) -> str:
    """Return the room of everyone in a company."""
    return f"company:{company_id}"


def payment_room(company_id: int) -> str:
    """Return the room of users who may receive payment events only (rules/realtime §2)."""
    return f"payment:{company_id}"


def programs_room(company_id: int) -> str:
    """Return the room of a company's service tokens, which events kept before an update name."""
    return f"programs:{company_id}"


def company_of_room(room: str | None) -> int | None:
    """Return the company of a company room, also of its masked part; None for every other room."""
    prefix, _, company_id = (room or "").removeprefix(MASKED).partition(":")
    return int(company_id) if prefix == "company" else None


def role_room(company_id: int, permission: str) -> str:
    """Return the room of those in a company whose role grants a permission."""
    return f"may:{company_id}:{permission}"


def user_room(user_id: int) -> str:
    """Return the room of one user's sockets."""
    return f"user:{user_id}"


def masked_room(room: str) -> str:
    """Return the part of a room whose sockets get numbers of contacts masked."""
    return f"{MASKED}{room}"
