"""A score, with reasons, of how likely the user is to save a paper, learnt from decisions."""
