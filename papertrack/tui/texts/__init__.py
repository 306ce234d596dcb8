"""What is said about a paper or a library, as styled text. Pure."""
