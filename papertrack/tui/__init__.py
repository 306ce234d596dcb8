"""The terminal UI, a front end to the store and the actions.

``run`` opens it; ``keys`` defines every key, ``screens`` and ``widgets`` what is on the screen,
``texts`` the text about a paper. Nothing here knows SQL.
"""
