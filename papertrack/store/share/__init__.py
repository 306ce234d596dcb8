"""A library on several devices: what each did, as lines of text, and the state they make up."""
