"""Rules of prompts, integrations and outgoing webhooks."""
