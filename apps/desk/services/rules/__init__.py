"""Rules and macros: what starts them, what they do, and how they are kept (rules/desk §12)."""
