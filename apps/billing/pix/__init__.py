"""Pix providers, one module each; none uses the database."""
