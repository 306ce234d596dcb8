"""Sources of facts: fetching uses the network, parsing is pure."""
