"""Whether a preprint has been published, and where: what sources say, and the guard. Pure."""
