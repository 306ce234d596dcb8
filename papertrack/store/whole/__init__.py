"""All that is the reader's, to be taken to another library and back."""
