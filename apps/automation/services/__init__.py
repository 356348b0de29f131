"""Rules of prompts and integrations."""
