"""Measures the budgets of the product: `make bench`, or `python -m tests.bench --help`."""
