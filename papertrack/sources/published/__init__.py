"""Services that know where papers were published: a module per service behind one protocol."""
