"""Messages: received, told how far they got, changed and passed on."""
