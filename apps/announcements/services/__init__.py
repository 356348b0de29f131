"""Rules of announcements and helps."""
