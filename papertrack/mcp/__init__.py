"""An MCP server, by which an agent reads the library and proposes changes to it."""
