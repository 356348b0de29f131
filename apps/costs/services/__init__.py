"""The ledger's rows and prices, its file, alerts of numbers that do not deliver, and the saver."""
