"""The calls of the desk."""
