"""Queries of prompts, integrations and outgoing webhooks."""
