"""Services of tickets: open, move, tag, merge, rate and close."""
