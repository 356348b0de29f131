"""Messages: their rows, corrected, changed, completed with what came early, and addressed."""
