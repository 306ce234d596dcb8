"""The screens: the library, a paper, the statistics, the help, and the first run."""
