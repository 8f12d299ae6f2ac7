"""`python -m punto` is `punto`."""

from punto.cli import main

main()
