"""The verbs: they take a store and return data; they print nothing."""
