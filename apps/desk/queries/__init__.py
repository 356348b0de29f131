"""Reads of the desk."""
