"""Reads of prompts and integrations."""
