"""Tickets: opened, moved, tagged, merged, rated and closed."""
