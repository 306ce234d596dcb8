"""Reading marks of READMEs: how each kind is read, learnt and written. See ``registry``."""
