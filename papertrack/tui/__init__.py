"""The terminal UI: the other front end over the store and the actions.

``run`` opens it; ``keys`` holds every key, ``verbs`` what a verb does to the library, ``screens``
and ``widgets`` what is seen, ``texts`` what is said about a paper. Nothing here knows SQL.
"""
