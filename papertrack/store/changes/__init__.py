"""What the journal keeps of a change: the triggers that write it, and the images of a row."""
