"""How likely the reader is to save a paper, learnt from decisions: a score with reasons. Pure."""
