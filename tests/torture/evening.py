"""An evening: everybody at all tables, and what they ask together, as it goes to the floor in groups and singly."""

from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.table import AnyCommand, Phase
from punto.table.events import RoundSettled, RoundVoided
from tests.torture.house import DEALT, FA_FA, SETUPS, TERMINALS
from tests.torture.mishaps import mishap
from tests.torture.patrons import intruder_asks, patrons_ask
from tests.torture.pen import Pen
from tests.torture.staff import next_step

# How many patrons at most speak up in one group, while bets are open and otherwise.
_MOST = {TERMINALS: 24, DEALT: 6, FA_FA: 6}
_OTHERWISE = 1
# In what share of groups a table goes on: bets stay open for some, cards come swiftly.
_GOES_ON = {Phase.BETS_OPEN: 0.2, Phase.INITIAL_DEAL: 0.8, Phase.DRAWING: 0.8}


class Evening:
    """Play at all tables of a floor, from wherever they stand."""

    def __init__(self, floor: Floor, pen: Pen) -> None:
        self._floor = floor
        self._pen = pen

    @property
    def now_ms(self) -> int:
        """What time it is."""
        return self._pen.now_ms

    def group(self) -> list[AnyCommand]:
        """What is asked next: by one person, or by many at several tables at once."""
        if self._pen.now_and_then(0.25):
            return [self._step(self._pen.chance.choice(list(SETUPS)))]
        commands: list[AnyCommand] = []
        while not commands:
            for key in SETUPS:
                commands += self._at(key)
        return commands

    def _at(self, key: str) -> list[AnyCommand]:
        pen, table = self._pen, self._floor.table(key)
        asked: list[AnyCommand] = []
        if table.setup:
            most = _MOST[key] if table.phase is Phase.BETS_OPEN else _OTHERWISE
            asked += patrons_ask(pen, key, table, most, self._floor.balance)
            if pen.now_and_then(0.01):
                asked.append(intruder_asks(pen, key))
        if table.setup and pen.now_and_then(0.1 if table.phase is Phase.SETTLED else 0.03):
            return [*asked, mishap(pen, key, table)]
        if pen.now_and_then(_GOES_ON.get(table.phase, 0.35)):
            asked.append(self._step(key))
        return asked

    def _step(self, key: str) -> AnyCommand:
        return next_step(self._pen, key, self._floor.table(key))

    def finish_rounds(self, most: int = 300) -> list[str]:
        """Play to the end of a round at every table, of a new one where none is under way; which tables get stuck."""
        return [key for key in SETUPS if not any(self._went_on(key) for _ in range(most))]

    def _went_on(self, key: str) -> bool:
        """Give a few wagers and the next step; whether a round has ended with it."""
        table = self._floor.table(key)
        bets = table.phase is Phase.BETS_OPEN
        asked = [*patrons_ask(self._pen, key, table, 3, self._floor.balance)] if bets else []
        answers = self._floor.handle_all([*asked, self._step(key)])
        events = [event for answer in answers if isinstance(answer, Answer) for event in answer.events]
        return any(isinstance(event, RoundSettled | RoundVoided) for event in events)
