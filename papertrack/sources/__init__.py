"""Where facts come from: fetching touches the network, parsing is pure."""
