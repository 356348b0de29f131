"""Reads of contact lists and campaigns."""
