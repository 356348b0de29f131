"""The wire shapes of prompts, integrations and outgoing webhooks."""
