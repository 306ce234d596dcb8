"""What ``--json`` prints: a model for each command, in the sections of the command line.

The shapes are a contract: they are added to, never changed; what is unknown is null. The commands
print plain values and pay nothing for these models: the tests hold every output against its model,
and ``papertrack schema`` makes JSON Schema of them for those who write programs.
"""
