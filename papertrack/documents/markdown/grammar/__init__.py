"""The grammar of a list: what each part of its entries is, learnt from all of them."""
