"""Running tables: the command handler, the shuffle, recovery."""
