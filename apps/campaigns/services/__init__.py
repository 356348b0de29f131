"""Rules of contact lists."""
