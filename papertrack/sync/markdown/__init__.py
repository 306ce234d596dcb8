"""The document format of READMEs."""
