"""Sources of facts about works. Only fetching uses the network; parsing is pure."""
