"""Tests of a shuffle: what an even shuffle does exactly, a battery at 99 % confidence, and shuffles that must fail it.

The shuffle comes in from outside, as shoes: rows of cards, numbered as they lie in new decks. Nothing here draws a card
of a real shoe; only the planted shuffles draw, each from a seed.
"""

from punto.lab.randomness.battery import FEWEST_SHOES, Battery, Finding
from punto.lab.randomness.draws import Edge, Scaled, Scaling, bits_of, choices, scaled, uneven
from punto.lab.randomness.judgement import LEVEL, caught, rejected
from punto.lab.randomness.measures import Verdict
from punto.lab.randomness.planted import PLANTED, PLANTED_SEED, PLANTED_SHOES, UNSEEN, Planted, even

__all__ = [
    "FEWEST_SHOES",
    "LEVEL",
    "PLANTED",
    "PLANTED_SEED",
    "PLANTED_SHOES",
    "UNSEEN",
    "Battery",
    "Edge",
    "Finding",
    "Planted",
    "Scaled",
    "Scaling",
    "Verdict",
    "bits_of",
    "caught",
    "choices",
    "even",
    "rejected",
    "scaled",
    "uneven",
]
