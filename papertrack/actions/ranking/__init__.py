"""The ranking of what was announced, learnt from what the reader decided."""
