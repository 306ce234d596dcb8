"""Data of the watch: topics, announcements and fetches."""
