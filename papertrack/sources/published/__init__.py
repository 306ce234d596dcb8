"""Services that know where papers were published: one module per service, one protocol."""
