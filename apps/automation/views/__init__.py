"""The calls of prompts, integrations and outgoing webhooks."""
