"""Records to text, one module for each format. Pure."""
