"""Tries a change on what happened, before it goes live (rules/desk §16)."""
