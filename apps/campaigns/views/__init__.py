"""The calls of contact lists and campaigns."""
