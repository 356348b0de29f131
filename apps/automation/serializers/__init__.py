"""The wire shapes of prompts and integrations."""
