"""The wire shapes of plans and invoices."""
