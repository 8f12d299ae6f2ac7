"""Crash torture: a floor under load is killed, or its disk loses power, and whatever is left must be whole.

`python -m tests.torture kill` ends a process that plays with SIGKILL, at moments of every phase, and `python -m
tests.torture crash` makes images of the disk as a power cut could leave it. Both print a seed that repeats them: the
images to the byte but for what is sealed and salted, the kills as far as the clock allows.
"""
