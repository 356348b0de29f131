"""The calls of prompts and integrations."""
