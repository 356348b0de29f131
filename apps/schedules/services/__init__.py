"""Rules of scheduled messages."""
