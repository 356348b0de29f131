"""Writing the ledger of what messages cost."""
