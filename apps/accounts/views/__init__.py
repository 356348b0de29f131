"""The calls of sessions and users."""
