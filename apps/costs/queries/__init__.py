"""Reads of prices, allowances and the ledger."""
