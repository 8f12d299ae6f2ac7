"""Claims of patrons about rounds, and what staff answer, in a stream of their own.

A patron raises a claim. Staff who had no part in the round answer it, for a reason, or the patron withdraws it. An
answer is final. It moves no money itself: credits are put right by a correction, which takes two people.
"""

from punto.server.claims.book import Claim, ClaimOutcome
from punto.server.claims.claims import LONGEST, Claims, Raising, Spoken
from punto.server.claims.events import CLAIMS, ClaimAbout

__all__ = ["CLAIMS", "LONGEST", "Claim", "ClaimAbout", "ClaimOutcome", "Claims", "Raising", "Spoken"]
