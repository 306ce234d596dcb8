"""Looking where papers were published, and proposing what was found."""
