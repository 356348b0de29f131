"""Rules of the internal chat (rules/chat)."""
