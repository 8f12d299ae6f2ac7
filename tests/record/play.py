"""Stores to audit: short play on a real floor, in a forger's hands."""

from collections import Counter
from functools import cache

from tests.record.forgery import Forgery

from punto.cards import STANDARD
from punto.floor.keys import Keys
from punto.floor.scenario import Runner, read_scenario
from punto.store.memory import MemoryStore

KEYS = Keys.from_secret(b"the floor's")
OTHER_KEYS = Keys.from_secret(b"somebody else's")
T1 = "table/T1"

# Two rounds on terminals, the second from the same shoe; a refusal for want of authority; a correction; a cash-out.
TERMINALS = """
{"by": "pit-supervisor eve", "do": "open-table", "setup": {"game": "super-six", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 100000, "position": 1}
{"by": "patron bob", "do": "buy-in", "patron": "bob", "cents": 100000, "position": 2}
{"by": "patron bob", "do": "open-bets", "refused": "not-allowed"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Banker", "stake_cents": 5000, "position": 1}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Super Six", "stake_cents": 100, "position": 1}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Player", "stake_cents": 2000, "position": 2}
{"by": "patron bob", "do": "change-wager", "patron": "bob", "number": 3, "stake_cents": 3000}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "Ks 2h 5d 4c Kh"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 5000, "position": 1}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 1000, "position": 2}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "9s 3d Kd 3c"}
{"by": "pit-supervisor eve", "do": "correct-credits", "patron": "bob", "cents": 500, "reason": "misread",
 "approved_by": {"name": "pam", "position": "pit-manager"}}
{"by": "patron ann", "do": "cash-out", "patron": "ann", "cents": 20000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 5000, "position": 1}
"""

# A dealt table by Method A, with a differential, an offer of withdrawal and a round that is void.
DEALT = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4, "method": "A",
 "differential_cents": 5000, "limits": {"*": {"min_cents": 1000, "max_cents": 10000}}}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 100000, "position": 1}
{"by": "patron bob", "do": "buy-in", "patron": "bob", "cents": 100000, "position": 2}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 9000, "position": 1}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Banker", "stake_cents": 3000, "position": 2}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Banker Pair", "stake_cents": 1000, "position": 2}
{"by": "dealer dan", "do": "close-bets"}
{"by": "pit-manager pam", "do": "remove-wager", "number": 1, "stake_cents": 8000}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 1000, "position": 2}
{"by": "dealer dan", "draw": "Ks 2h"}
{"by": "dealer dan", "do": "report-interruption"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
{"by": "patron bob", "do": "answer-offer", "patron": "bob", "withdraw": [2, 3]}
{"by": "dealer dan", "draw": "9d 5c"}
{"by": "patron ann", "do": "accept-cards", "patron": "ann", "side": "player"}
{"by": "dealer dan", "do": "choose-first", "side": "player"}
{"by": "patron ann", "do": "expose-cards", "patron": "ann", "side": "player"}
{"by": "dealer dan", "do": "expose-cards", "side": "banker"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 4000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "As"}
{"by": "dealer dan", "do": "report-cards", "found": "extra-cards"}
{"by": "dealer dan", "do": "end-shoe"}
"""

# A virtual shoe, cut, dealt from and opened.
VIRTUAL = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "tiger", "decks": 4, "source": "virtual"}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "cut-shoe", "patron": "ann", "cards": 60}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "? ? ? ?"}
{"by": "dealer dan", "do": "refer", "matter": "that will do"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "void", "reason": "to see the shoe"}
{"by": "pit-manager pam", "do": "end-shoe", "reason": "to see the cards"}
"""

# In the HLGA, by Method C: a patron draws, passes a hand on, and loses the device; the cutting card ends the shoe.
METHOD_C = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4, "hlga": true}}
{"by": "assistant-casino-manager al", "do": "choose-method", "method": "C"}
{"by": "pit-manager pam", "do": "restrict-areas", "most": 2}
{"by": "pit-manager pam", "do": "change-limits", "limits": {"*": {"min_cents": 1000, "max_cents": 500000}},
 "differential_cents": 500000}
{"by": "assistant-casino-manager al", "do": "permit-drawing", "patron": "cho"}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 100000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 5000, "position": 1}
{"by": "patron ann", "do": "take-device", "patron": "ann"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "patron ann", "do": "show-cutting-card"}
{"by": "dealer dan", "do": "allow-withdrawal"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
{"by": "patron ann", "draw": "Kd 4h 7d 5c"}
{"by": "dealer dan", "do": "pass-hand", "side": "banker", "patron": "bob"}
{"by": "patron ann", "do": "expose-cards", "side": "player", "patron": "ann"}
{"by": "patron bob", "do": "expose-cards", "side": "banker", "patron": "bob"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "end-shoe"}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "open-bets"}
"""

# A round rebuilt after payment, cards that came together and are ordered, stakes outside the limits, a debt.
REBUILT = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4, "reads": false,
 "limits": {"*": {"min_cents": 1000, "max_cents": 10000}}}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "patron bob", "do": "buy-in", "patron": "bob", "cents": 30000, "position": 2}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 10000, "position": 1}
{"by": "dealer dan", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 1000, "position": 2}
{"by": "dealer dan", "do": "close-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "stake_cents": 1000, "position": 1}
{"by": "patron bob", "do": "take-back-wager", "patron": "bob", "number": 2}
{"by": "dealer dan", "draw": "5s 4h 3d 4c"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "report-stake", "number": 1, "stake_cents": 15000,
 "confirmed_by": {"name": "sue", "position": "pit-supervisor"}}
{"by": "dealer dan", "do": "report-stake", "number": 2, "stake_cents": 500,
 "confirmed_by": {"name": "sue", "position": "pit-supervisor"}}
{"by": "dealer dan", "do": "settle"}
{"by": "patron bob", "do": "cash-out", "patron": "bob", "cents": 33500, "position": 2}
{"by": "dealer dan", "do": "report-order", "found": "wrong-order", "player": "5s 3d", "banker": "4h 4c",
 "order": "5s 3d 4h 4c"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "Ks 2h 5d Kc"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "together": [5, 6, 7], "player": "Ks 5d 3h",
 "banker": "2h Kc 4s 9s"}
{"by": "pit-manager pam", "do": "order-cards", "order": "Ks 2h 5d Kc 4s 3h 9s"}
{"by": "system clock", "do": "call-time", "after_s": 30}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "all agree to play it", "play": "9s"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "9s"}
"""


def _counted() -> str:
    """A patron leaves with two cards, and a count of all the others says which they were."""
    left = Counter({str(card): 4 for card in STANDARD.cards}) - Counter("3h Ks 4c Th 2d 2d".split())
    return f"""
{{"by": "pit-manager pam", "do": "open-table", "setup": {{"game": "baccarat", "decks": 4, "reads": false}}}}
{{"by": "dealer dan", "do": "load-shoe"}}
{{"by": "dealer dan", "do": "open-bets"}}
{{"by": "dealer dan", "do": "close-bets"}}
{{"by": "pit-manager pam", "do": "permit-squeeze", "side": "player", "patron": "ann"}}
{{"by": "dealer dan", "draw": "? 3h ? Ks"}}
{{"by": "dealer dan", "do": "report-carried-off", "side": "player", "cards": 2}}
{{"by": "gaming-shift-manager gus", "do": "set-cards-aside", "cards": "4c Th"}}
{{"by": "gaming-shift-manager gus", "do": "count-cards", "device": "{" ".join(left.elements())}", "discards": ""}}
{{"by": "gaming-shift-manager gus", "do": "assign-missing", "cards": "2d 2d"}}
{{"by": "dealer dan", "do": "announce"}}
{{"by": "dealer dan", "draw": "4c"}}
"""


COUNTED = _counted()


@cache
def _played(text: str) -> MemoryStore:
    store = MemoryStore()
    lines = text.replace(",\n ", ", ")
    for step in Runner(store, read_scenario(lines), keys=KEYS).run():
        assert step.refusal is None or step.checked, f"line {step.line.number}: {step.refusal}"
        assert not step.wrong, f"line {step.line.number}: {step.wrong}"
    return store


def play(text: str = TERMINALS) -> Forgery:
    """What a floor writes when that is played."""
    return Forgery(_played(text))
