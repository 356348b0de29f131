"""Contacts, tags, notes and imports on the wire."""
