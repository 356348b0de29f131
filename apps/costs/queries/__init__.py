"""Prices and allowances of a day, sums of the ledger, and where automatic texts are set."""
