"""Heavy work in processes of its own: a small pool, a queue for each visitor, limits of time and memory.

A worker imports from here, and must stay small: nothing is imported at this front door.
"""
