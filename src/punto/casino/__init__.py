"""A simulated casino: the whole floor under one seed, with simulated clock, network and disk.

The server, the floor, the record and the audit are the real ones. Time, chance, threads, the network, the disk, people
and attackers are simulated, in one process and on one thread, so that the same seed always gives the same run.
"""
