"""What others ask a list's maintainer for, made into edits in the list's own form."""
