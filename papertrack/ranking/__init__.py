"""How likely the reader saves a paper, learnt from what was decided: a score with reasons. Pure."""
