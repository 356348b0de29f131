"""Calls about contacts, tags and notes."""
