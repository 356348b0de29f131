"""Reading of environment variables for the settings module."""

import os


def env(name: str, default: str = "") -> str:
    """Return the variable's text; an empty one counts as unset."""
    return os.environ.get(name, "") or default


def env_bool(name: str, *, default: bool) -> bool:
    """Return the variable as a switch: 1, true, yes and on are on; any other text is off."""
    text = env(name)
    return text.lower() in {"1", "true", "yes", "on"} if text else default


def env_int(name: str, default: int) -> int:
    """Return the variable as a whole number; raises ValueError when it is none."""
    return int(env(name, str(default)))


def env_list(name: str) -> list[str]:
    """Return the variable's comma-separated parts without blanks."""
    return [part.strip() for part in env(name).split(",") if part.strip()]
