"""A library on several devices: taking in what others did, and telling how things stand."""
