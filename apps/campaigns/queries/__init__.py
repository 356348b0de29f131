"""Reads of contact lists, segments and campaigns."""
