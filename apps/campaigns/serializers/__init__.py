"""The wire shapes of contact lists and campaigns."""
