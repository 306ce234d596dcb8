"""Lists and their repositories: checked, proposed to, merged, and what GitHub runs of it."""
