"""What is known of files: in step with the library, as they were, and written by papertrack."""
