"""What a curator wants to know about a list before a commit: kinds of findings and their rules."""
