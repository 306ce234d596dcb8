"""The grammar of a list: the role of each part of its entries, learnt from all entries."""
