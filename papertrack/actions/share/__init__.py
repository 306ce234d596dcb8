"""Share a library through git: its records, and the repository that contains them."""
