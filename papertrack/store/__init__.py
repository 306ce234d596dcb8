"""The SQLite library: schema, journal, reading and writing. The only part that knows SQL."""
