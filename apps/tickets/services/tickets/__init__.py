"""Tickets: opened, moved, tagged, timed, rated and closed."""
