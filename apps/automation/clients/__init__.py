"""Clients of integrations and AI models, one module each; none of them uses the database."""
