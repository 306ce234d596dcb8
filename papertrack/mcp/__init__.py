"""An MCP server, through which an agent reads the library and proposes changes to it."""
