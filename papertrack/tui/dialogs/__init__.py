"""The small windows that ask for something and go away."""
