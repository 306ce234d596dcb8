"""The engine that keeps documents and the store in step."""
