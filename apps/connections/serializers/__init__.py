"""Connections and their templates on the wire."""
