"""Ask arXiv and other sources on behalf of the user."""
