"""What the watch keeps: topics, announcements, its looks, and who is at work."""
