"""Simulation at the machine's limit: whole shoes, all wagers at once, the same tally whoever deals it."""

from punto.lab.simulation.agreement import LineSeen, Simulated, WagerSeen, beside_the_exact, simulate
from punto.lab.simulation.running import run, threads
from punto.lab.simulation.stream import Stream
from punto.lab.simulation.tally import Part, Tally, Terms

__all__ = [
    "LineSeen",
    "Part",
    "Simulated",
    "Stream",
    "Tally",
    "Terms",
    "WagerSeen",
    "beside_the_exact",
    "run",
    "simulate",
    "threads",
]
