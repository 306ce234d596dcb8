"""What Textual does otherwise here, where it offers no place to say it."""
