"""Deadlines: clocks of tickets, what is done on their way, and the company's times."""
