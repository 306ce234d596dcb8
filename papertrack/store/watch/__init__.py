"""What the watch keeps: topics, announcements and its looks."""
