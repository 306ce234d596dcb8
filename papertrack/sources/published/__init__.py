"""Who knows where papers were published: a module per service behind one protocol."""
