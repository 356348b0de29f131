"""The calls of tickets and messages: parse, ask one query or service, respond."""
