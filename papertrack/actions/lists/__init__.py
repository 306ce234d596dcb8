"""Lists and their repositories: check, propose, merge, and write workflows for GitHub."""
