"""What the patron types, and what follows from it."""

import re
from collections.abc import Callable
from typing import Final

from rich.text import Text

from punto.cli import rules
from punto.cli.ink import QUIET
from punto.cli.play import phrases
from punto.cli.play.screen import Screen, money
from punto.cli.play.seat import Paid, Seat
from punto.errors import Refusal
from punto.games import RULEBOOKS
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS
from punto.rules import Deal, Language, Wager

_AMOUNT: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?")


class Leave(Exception):
    """The patron leaves the table."""


class Misread(Exception):
    """What was typed means nothing; the message says why."""


def codes_of(wagers: tuple[Wager, ...]) -> dict[str, str]:
    """The letters by which each wager is called: its initials, or as many letters as tell it from the others.

    >>> from punto.games import find
    >>> list(codes_of(find("tiger").wagers))
    ['p', 'b', 't', 'ti', 'st', 'bt', 'tt', 'tp']
    """
    codes: dict[str, str] = {}
    for wager in wagers:
        letters = re.sub(r"[^a-z0-9 ]", "", wager.name.lower())
        initials = "".join(word[0] for word in letters.split())
        squeezed = letters.replace(" ", "")
        candidates = [initials, *[squeezed[:size] for size in range(2, len(squeezed) + 1)]]
        code = next((code for code in candidates if code and code not in codes), f"w{len(codes) + 1}")
        codes[code] = wager.name
    return codes


class Loop:
    """Reads a line, does it, draws the table; until the patron leaves."""

    def __init__(self, seat: Seat, screen: Screen, read: Callable[[str], str]) -> None:
        self.seat = seat
        self.screen = screen
        self.read = read
        self.codes = codes_of(seat.game.wagers)
        rulebook = RULEBOOKS.get(seat.game.rulebook)
        self.opens = rulebook.opens.phrases[0] if rulebook else PLACE_YOUR_BETS
        self.closes = rulebook.closes.phrases[0] if rulebook else NO_MORE_BETS
        self.deal = Deal.begin(seat.game.opening)
        self.paid: tuple[Paid, ...] = ()
        self.message = Text(screen.say(phrases.WELCOME), style=QUIET)

    def run(self) -> None:
        """The table, from sitting down to leaving."""
        if not self.screen.live:
            self.screen.note(self.seat.game.title.text(self.screen.language))
        while True:
            self._draw()
            try:
                self._obey(self._ask())
            except (Leave, EOFError, KeyboardInterrupt):
                break
            except (Refusal, Misread) as error:
                self._tell(str(error))
        self._say_goodbye()

    def _ask(self) -> str:
        prompt = f"{self.screen.say(self.opens)} › " if self.screen.live else ""
        return self.read(prompt).strip().lower()

    def _obey(self, line: str) -> None:
        """Do what a line says: deal, look at something, leave, or change the stakes."""
        word, *rest = line.split() or [""]
        match word:
            case "" | "d" | "deal":
                self._play_round()
            case "q" | "quit" | "exit":
                raise Leave
            case "?" | "h" | "help" | "roads" | "rules" | "why":
                self._show(word)
            case "lang":
                chinese = self.screen.language is Language.CHINESE
                self.screen.language = Language.ENGLISH if chinese else Language.CHINESE
            case _:
                self._change_stakes(word, rest, line)
                self._begin_bets()

    def _change_stakes(self, word: str, rest: list[str], line: str) -> None:
        match word:
            case "r" | "rebet":
                if not self.seat.last_stakes:
                    raise Misread(self.screen.say(phrases.NOTHING_TO_REBET))
                self.seat.rebet()
            case "x2" | "double":
                self.seat.double()
            case "u" | "undo":
                self.seat.undo()
            case "c" | "clear":
                self.seat.clear()
            case "buy":
                self.seat.buy(self._amount("".join(rest)))
            case _:
                self._place(line)

    def _show(self, what: str) -> None:
        match what:
            case "roads":
                self.screen.all_roads(self.seat)
            case "rules":
                self.screen.clear()
                rules.show(self.seat.game, self.screen.language, as_toml=False)
            case "why":
                self.screen.why(self.paid)
            case _:
                self.screen.help(self.codes, self.seat.game.wagers)
        if self.screen.live:
            self.read(f"{self.screen.say(phrases.ENTER_TO_GO_ON)} › ")

    def _begin_bets(self) -> None:
        """A change of stakes clears the last round off the table."""
        if self.seat.stakes:
            self.deal = Deal.begin(self.seat.game.opening)
            self.paid = ()
        staked = f"{self.screen.say(phrases.STAKE)} {money(self.seat.staked_cents)}"
        self.message = Text(staked, style="bold")

    def _place(self, line: str) -> None:
        words = re.findall(r"[a-z][a-z0-9]*|[^\s]+", line)
        added: dict[str, int] = {}
        while words:
            code = words.pop(0)
            if code not in self.codes:
                raise Misread(self.screen.say(phrases.UNKNOWN).format(code))
            if not words:
                raise Misread(self.screen.say(phrases.NO_AMOUNT).format(code, code))
            amount = words.pop(0)
            free = self.seat.free_cents - sum(added.values())
            all_of_it = free - free % self.seat.unit_cents
            name = self.codes[code]
            added[name] = added.get(name, 0) + (all_of_it if amount == "all" else self._amount(amount))
        self.seat.place(added)

    def _amount(self, text: str) -> int:
        match = _AMOUNT.fullmatch(text.replace(",", ""))
        if not match:
            raise Misread(self.screen.say(phrases.BAD_AMOUNT).format(text))
        return int(match.group(1)) * 100 + int((match.group(2) or "0").ljust(2, "0"))

    def _play_round(self) -> None:
        seat, screen = self.seat, self.screen
        staked = bool(seat.stakes)
        self.paid = ()
        self.message = Text(screen.say(self.closes), style="bold")
        for deal in seat.deal():
            self.deal = deal
            self._draw()
            screen.pause()
        coup = self.deal.coup
        assert coup, "the deal has run to its end"
        self.paid = seat.settle(coup)
        won_cents = sum(each.won_cents for each in self.paid)
        self.message = screen.outcome(coup, won_cents, staked=staked)
        if seat.last_round:
            self.message.append(f"   {screen.say(phrases.LAST_ROUND)}", style=QUIET)
        screen.round(seat, coup, self.paid, self.message)

    def _tell(self, message: str) -> None:
        self.message = Text(message, style="bold")
        if not self.screen.live:
            self.screen.note(message)

    def _draw(self) -> None:
        self.screen.table(self.seat, self.codes, self.deal, self.paid, self.message)

    def _say_goodbye(self) -> None:
        seat, screen = self.seat, self.screen
        net = seat.credits_cents - seat.bought_cents
        said = phrases.WON if net > 0 else phrases.LOST if net < 0 else phrases.EVEN
        screen.note("")
        screen.note(
            screen.say(phrases.GOODBYE).format(
                rounds=seat.rounds,
                bought=money(seat.bought_cents),
                credits=money(seat.credits_cents),
                net=screen.say(said).format(money(abs(net))),
            )
        )
