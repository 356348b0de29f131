"""The wire shapes of the desk."""
