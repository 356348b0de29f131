"""The calls of plans."""
