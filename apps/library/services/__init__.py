"""Rules of quick messages and file lists."""
