"""Rules of contact lists, segments and campaigns."""
