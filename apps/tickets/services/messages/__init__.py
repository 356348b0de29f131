"""Messages: their rows, changes, corrections by the provider, early references and addressing."""
