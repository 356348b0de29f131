"""Reads of prices."""
