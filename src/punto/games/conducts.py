"""How tables are conducted under each kind of rulebook: terminals, chips on a layout, and the Fa Fa table.

Clause numbers agree between EB4 and E7U, and between B8 and TNC5; only the code in front differs.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from punto.rules import (
    Act,
    Areas,
    Charge,
    Circumstance,
    Clause,
    Conduct,
    CustodyClauses,
    DifferentialClauses,
    Duty,
    Found,
    Late,
    LateClauses,
    Layout,
    LimitClauses,
    Method,
    Position,
    Remedy,
    Rule,
)

# What no rulebook gives to anybody is ordered by the house.
HOUSE: Final = MappingProxyType(
    {
        Duty.RUN_TABLE: Charge(Position.PIT_SUPERVISOR),
        Duty.RUN_ROUND: Charge(Position.DEALER),
        Duty.CHANGE_SHOE: Charge(Position.DEALER),
        Duty.DRAW: Charge(Position.DEALER),
        Duty.REPORT: Charge(Position.DEALER),
        Duty.INTERRUPT: Charge(Position.DEALER, system=True),
        Duty.REPLACE_CARDS: Charge(Position.PIT_MANAGER),
        Duty.RULE: Charge(Position.GAMING_SHIFT_MANAGER),
        Duty.CORRECT: Charge(Position.PIT_SUPERVISOR),
        Duty.APPROVE: Charge(Position.PIT_MANAGER),
        Duty.CONFIRM_CASH: Charge(Position.PIT_SUPERVISOR),
        Duty.CONFIRM_STAKE: Charge(Position.PIT_SUPERVISOR),
        Duty.EXCEED_FILE: Charge(Position.GAMING_SHIFT_MANAGER),
        Duty.CONFIRM_SETUP: Charge(Position.PIT_MANAGER),
    }
)
_CONTENTS: Final = (Found.EXTRA_CARDS, Found.MISSING_CARDS, Found.FOREIGN_CARDS)
Rules = dict[Found, tuple[Rule, ...]]


def _when(*circumstances: Circumstance) -> frozenset[Circumstance]:
    return frozenset(circumstances)


def _common(code: str) -> Rules:
    """What EB4, E7U, B8 and TNC5 all say, under the same numbers (5.1 to 5.3, 5.6, 6.3)."""
    void = Rule(f"{code} 5.1.1", Remedy.VOID_AND_PROPOSE)
    return {
        **dict.fromkeys((*_CONTENTS, Found.UNSHUFFLED_CARDS), (void,)),
        Found.ORDER_ALTERED: (
            Rule(f"{code} 5.2", Remedy.PLAY_ON, _when(Circumstance.ORDER_KNOWN)),
            Rule(f"{code} 5.2", Remedy.VOID_AND_PROPOSE),
        ),
        Found.TOO_FEW_CARDS: (Rule(f"{code} 5.3", Remedy.VOID_AND_PROPOSE),),
        Found.FACE_UP_IN_DEVICE: (
            Rule(f"{code} 6.1", Remedy.REFER, _when(Circumstance.NO_CARD_YET)),
            Rule(f"{code} 5.6", Remedy.PLAY_ON),
        ),
        **dict.fromkeys(
            (Found.WRONG_ORDER, Found.WRONG_NUMBER),
            (Rule(f"{code} 5.7", Remedy.REBUILD, _when(Circumstance.ORDER_KNOWN), also_paid=True),),
        ),
        Found.DISPLAY_WRONG: (Rule(f"{code} 6.3", Remedy.CARDS_STAND, also_paid=True),),
    }


def on_terminals(code: str, cutting_card: Clause, optional: tuple[Clause, ...] = ()) -> Conduct:
    """EB4 and E7U: wagers are placed with credits on Player Terminals; the *optional* ones may be left out."""
    decided = _when(Circumstance.SOMETHING_DECIDED)
    return Conduct(
        terminals=True,
        layouts=(),
        duties=_duties(
            {
                Duty.RUN_ROUND: Charge(Position.DEALER, f"{code} 3.1", system=True),
                Duty.CHANGE_SHOE: Charge(Position.DEALER, system=True),
                Duty.DRAW: Charge(Position.DEALER, f"{code} 3.6", system=True),
                # At the desk, where credits are bought and paid out; wagers are the patron's own (3.5).
                Duty.SPEAK_FOR_PATRON: Charge(Position.DEALER),
                Duty.RULE: Charge(Position.GAMING_SHIFT_MANAGER, f"{code} 6.1"),
            }
        ),
        rules=MappingProxyType(
            _common(code)
            | {
                Found.DRAWN_TOGETHER: (
                    Rule(f"{code} 5.8", Remedy.REBUILD, _when(Circumstance.ORDER_KNOWN), also_paid=True),
                    Rule(f"{code} 5.8.1", Remedy.VOID),
                ),
                Found.INTERRUPTION: (
                    Rule(f"{code} 5.9.2", Remedy.PLAY_ON, decided, also_paid=True),
                    Rule(f"{code} 5.9.1", Remedy.VOID),
                ),
                Found.TERMINALS_DOWN: (
                    Rule(f"{code} 5.10.1", Remedy.PLAY_ON, decided, also_paid=True),
                    Rule(f"{code} 5.10", Remedy.PLAY_ON, also_paid=True),
                ),
            }
        ),
        late=LateClauses(Late.REFUSED, placed=f"{code} 5.5", withdrawn=f"{code} 5.4"),
        limits=LimitClauses(displayed=f"{code} 2.2"),
        other_clause=f"{code} 6.1",
        acts=MappingProxyType({Act.CUTTING_CARD_REMOVED: cutting_card}),
        optional=frozenset(optional),
        virtual=True,
    )


def dealt(code: str, layouts: tuple[Layout, ...]) -> Conduct:
    """B8 and TNC5: chips on a layout, three methods of dealing, and a full list of irregularities."""
    known, unknown = _when(Circumstance.ORDER_KNOWN), Circumstance.ORDER_UNKNOWN
    return Conduct(
        terminals=False,
        layouts=layouts,
        duties=_duties(
            {
                Duty.RUN_ROUND: Charge(Position.DEALER, f"{code} 3.1"),
                Duty.DRAW: Charge(Position.DEALER, f"{code} 3.8.1"),
                Duty.PLACE_FOR_PATRON: Charge(Position.DEALER, f"{code} 3.7"),
                Duty.SPEAK_FOR_PATRON: Charge(Position.DEALER),
                Duty.RESTRICT_AREAS: Charge(Position.PIT_MANAGER, f"{code} 3.6.1"),
                Duty.CHOOSE_METHOD: Charge(Position.PIT_MANAGER, f"{code} 3.8.2"),
                Duty.ALLOW_METHOD_C: Charge(Position.ASSISTANT_CASINO_MANAGER, f"{code} 3.8.2"),
                Duty.CHOOSE_HOLDER: Charge(Position.PIT_SUPERVISOR, f"{code} 3.9.4.1"),
                Duty.CHOOSE_FIRST: Charge(Position.DEALER, f"{code} 3.9.6"),
                Duty.EXPOSE: Charge(Position.DEALER, f"{code} 5.10"),
                Duty.PASS_HAND: Charge(Position.DEALER, f"{code} 3.11.3"),
                Duty.PERMIT_DRAWING: Charge(Position.ASSISTANT_CASINO_MANAGER, f"{code} 3.11.2"),
                Duty.PERMIT_SQUEEZE: Charge(Position.PIT_MANAGER, f"{code} 3.16"),
                Duty.ALLOW_WITHDRAWAL: Charge(Position.DEALER, f"{code} 3.17.1"),
                Duty.ORDER_CARDS: Charge(Position.PIT_MANAGER, f"{code} 5.8.2.2"),
                Duty.WITNESS_COUNT: Charge(Position.GAMING_SHIFT_MANAGER, f"{code} 5.11.1"),
                Duty.REMOVE_WAGERS: Charge(Position.PIT_MANAGER, f"{code} 5.18.3"),
                Duty.RULE: Charge(Position.GAMING_SHIFT_MANAGER, f"{code} 6.1"),
            }
        ),
        rules=MappingProxyType(
            _common(code)
            | {
                Found.DRAWN_TOGETHER: (
                    Rule(f"{code} 5.8.1", Remedy.OFFER_THEN_REBUILD, known),
                    Rule(f"{code} 5.8.2.2", Remedy.ORDER_THEN_OFFER, _when(unknown, Circumstance.INITIAL_DEAL_DONE)),
                    Rule(f"{code} 5.8.2.1", Remedy.VOID),
                ),
                Found.WRONG_PATRON: (
                    Rule(f"{code} 5.7", Remedy.RETRIEVE, _when(Circumstance.FACE_DOWN), also_paid=True),
                    Rule(f"{code} 5.7.1", Remedy.PLAY_ON, also_paid=True),
                ),
                Found.NOT_PASSED: (Rule(f"{code} 5.7.1", Remedy.PLAY_ON, also_paid=True),),
                Found.DEALT_FACE_UP: (Rule(f"{code} 5.7.1", Remedy.PLAY_ON, also_paid=True),),
                Found.EXPOSED_IN_ERROR: (Rule(f"{code} 5.7.1", Remedy.PLAY_ON, also_paid=True),),
                Found.CUTTING_CARD_FIRST: (
                    Rule(f"{code} 3.17.1", Remedy.OFFER_THEN_PLAY_ON, _when(Circumstance.HLGA)),
                    Rule(f"{code} 3.17", Remedy.PLAY_ON),
                ),
                Found.DEVICE_RESET: (Rule(f"{code} 5.9", Remedy.OFFER_THEN_REOPEN),),
                Found.PATRON_ABSENT: (Rule(f"{code} 5.10", Remedy.DEALER_EXPOSES, also_paid=True),),
                Found.CARDS_CARRIED_OFF: (Rule(f"{code} 5.11", Remedy.COUNT, also_paid=True),),
                Found.EXPOSED_IN_MOVING: (
                    Rule(f"{code} 6.1", Remedy.REFER, _when(Circumstance.NO_CARD_YET)),
                    Rule(f"{code} 5.12.1", Remedy.PLAY_ON, _when(Circumstance.METHOD_C)),
                ),
                Found.DISORDERED_IN_MOVING: (
                    Rule(f"{code} 5.12.2", Remedy.VOID_AND_REPLACE, _when(Circumstance.METHOD_C, unknown)),
                    Rule(f"{code} 5.12", Remedy.PLAY_ON, _when(Circumstance.METHOD_C)),
                ),
                Found.OFF_LIMITS: (
                    Rule(f"{code} 5.14", Remedy.SETTLE_WITHIN_LIMITS, _when(Circumstance.UNDER_MINIMUM)),
                    Rule(f"{code} 5.15", Remedy.SETTLE_WITHIN_LIMITS, _when(Circumstance.OVER_MAXIMUM)),
                ),
                Found.INTERRUPTION: (
                    Rule(f"{code} 5.17.2", Remedy.PLAY_ON, _when(Circumstance.SOMETHING_DECIDED), also_paid=True),
                    Rule(f"{code} 5.17.1", Remedy.OFFER_ALL_THEN_PLAY_ON),
                ),
            }
        ),
        late=LateClauses(Late.NOT_HONOURED, placed=f"{code} 5.4", withdrawn=f"{code} 5.5"),
        methods=(Method.A, Method.B, Method.C),
        areas=Areas(3, f"{code} 3.6"),
        custody=CustodyClauses(
            highest=f"{code} 3.9.2",
            next_highest=f"{code} 3.9.3",
            first_placed=f"{code} 3.9.4",
            chosen=f"{code} 3.9.4.1",
            around=f"{code} 3.9.5",
            patron_draws=f"{code} 3.11.1",
            without_wager=f"{code} 3.11.2",
            given_up=f"{code} 3.11.8.1",
            lost=f"{code} 3.11.8.2",
        ),
        limits=LimitClauses(displayed=f"{code} 3.5.1", under=f"{code} 5.14", over=f"{code} 5.15"),
        differential=DifferentialClauses(decrease=f"{code} 5.18.1", increase=f"{code} 5.18.2", remove=f"{code} 5.18.3"),
        other_clause=f"{code} 6.1",
        acts=MappingProxyType(
            {
                Act.PATRON_ASKED: f"{code} 3.7",
                Act.PASSED_THROUGH_DEALER: f"{code} 3.11.3",
                Act.IN_FULL_VIEW: f"{code} 3.11.4",
                Act.PLACED_ON_LAYOUT: f"{code} 3.11.7",
                Act.CUTTING_CARD_REMOVED: f"{code} 3.17",
                Act.SORTED_AND_DISPLAYED: f"{code} 5.11.2",
                Act.TAKEN_FROM_COMPLETE_DECK: f"{code} 5.11.3",
                Act.ASKED_TO_DECREASE: f"{code} 5.18.1",
            }
        ),
    )


def fa_fa(code: str, layouts: tuple[Layout, ...]) -> Conduct:
    """FF2: dealt by the Dealer; what it does not cover is referred (interpretation 20)."""
    return Conduct(
        terminals=False,
        layouts=layouts,
        duties=_duties(
            {
                Duty.RUN_ROUND: Charge(Position.DEALER, f"{code} 3.1"),
                Duty.DRAW: Charge(Position.DEALER, f"{code} 3.7"),
                # FF2 does not say who sees to the chips on its layout (interpretation 40).
                Duty.PLACE_FOR_PATRON: Charge(Position.DEALER),
                Duty.SPEAK_FOR_PATRON: Charge(Position.DEALER),
            }
        ),
        rules=MappingProxyType(
            {
                **dict.fromkeys(_CONTENTS, (Rule(f"{code} 5.1.1", Remedy.VOID_AND_PROPOSE),)),
                Found.ORDER_ALTERED: (
                    Rule(f"{code} 5.4", Remedy.PLAY_ON, _when(Circumstance.ORDER_KNOWN)),
                    Rule(f"{code} 5.4", Remedy.VOID_AND_PROPOSE),
                ),
                Found.TOO_FEW_CARDS: (Rule(f"{code} 5.5", Remedy.VOID_AND_PROPOSE),),
                Found.WRONG_NUMBER: (
                    Rule(f"{code} 5.2", Remedy.REBUILD, _when(Circumstance.ORDER_KNOWN), also_paid=True),
                    Rule(f"{code} 5.2", Remedy.VOID, also_paid=True),
                ),
                Found.DRAWN_TOGETHER: (
                    Rule(f"{code} 5.3", Remedy.VOID, _when(Circumstance.ORDER_UNKNOWN, Circumstance.INITIAL_DEAL)),
                ),
                # FF2 has no clause on displays; the cards stand all the same (interpretation 45).
                Found.DISPLAY_WRONG: (Rule("", Remedy.CARDS_STAND, also_paid=True),),
            }
        ),
        late=LateClauses(Late.NOT_HONOURED, placed=f"{code} 5.6", withdrawn=f"{code} 5.7"),
    )


def _duties(own: Mapping[Duty, Charge]) -> Mapping[Duty, Charge]:
    return MappingProxyType({**HOUSE, **own})
