"""What other tools keep: each importer knows its files by what is in them, and reads them into the
same items. Nothing here writes, and no source is changed or read by its name."""
