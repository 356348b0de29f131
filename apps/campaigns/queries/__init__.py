"""Reads of contact lists, segments, campaigns and prices."""
