"""The reason why an edit cannot be made."""


class NoPlaceError(Exception):
    """A document has no place for what an edit says; the message is for the user."""
