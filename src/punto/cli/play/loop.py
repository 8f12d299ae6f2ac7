"""What the patron types, and what follows from it."""

import re
from collections.abc import Callable
from itertools import chain, count
from typing import Final

from rich.text import Text

from punto.cli import rules
from punto.cli.entry import one_line
from punto.cli.ink import QUIET
from punto.cli.play import phrases
from punto.cli.play.screen import Screen
from punto.cli.play.seat import Paid, Seat
from punto.errors import Refusal
from punto.games import RULEBOOKS
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS
from punto.rules import Deal, Language, Wager
from punto.rules.money import money

_LONGEST_NAME: Final = 4
_LONGEST_ECHO: Final = 20
_AMOUNT: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,2}))?")


# What a wager cannot be called by.
COMMANDS: Final = frozenset(
    [
        "d",
        "deal",
        "q",
        "quit",
        "exit",
        "?",
        "h",
        "help",
        "roads",
        "rules",
        "why",
        "lang",
        "r",
        "rebet",
        "x2",
        "double",
        "u",
        "undo",
        "c",
        "clear",
        "buy",
        "all",
    ]
)


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
        wished = [initials, *[squeezed[:size] for size in range(2, len(squeezed) + 1)]]
        numbered = (f"w{number}" for number in count(1))
        code = next(code for code in chain(wished, numbered) if code[:1].isalpha() and code not in {*codes, *COMMANDS})
        codes[code] = wager.name
    return codes


class Loop:
    """Reads a line, does it, draws the table; until the patron leaves."""

    def __init__(self, seat: Seat, screen: Screen, read: Callable[[str], str]) -> None:
        self.seat = seat
        self.screen = screen
        self.read = read
        self.codes = codes_of(seat.game.wagers)
        self.called = dict(self.codes)
        for wager in seat.game.wagers:
            self.called |= {wager.label.en.lower(): wager.name, wager.label.zh.lower(): wager.name}
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
            if self.seat.demonstration:
                self.screen.note(self.screen.demonstration(self.seat).strip())
        while True:
            self._draw()
            try:
                self._obey(self._ask())
            except (Leave, EOFError, KeyboardInterrupt):
                break
            except Refusal as error:
                chinese = self.screen.language is Language.CHINESE
                self._tell(phrases.REFUSALS.get(error.code, error.message) if chinese else error.message)
            except Misread as error:
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
                self._begin_bets()
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
                content = self.screen.all_roads(self.seat)
            case "rules":
                content = rules.drawing(self.seat.game, self.screen.language)
            case "why":
                content = self.screen.why(self.paid)
            case _:
                content = self.screen.help(self.codes, self.seat.game.wagers)
        self.screen.pages(content, lambda: self.read(f"{self.screen.say(phrases.ENTER_TO_GO_ON)} › "))

    def _begin_bets(self) -> None:
        """A change of stakes clears the last round off the table."""
        if self.seat.stakes:
            self.deal = Deal.begin(self.seat.game.opening)
            self.paid = ()
        staked = f"{self.screen.say(phrases.STAKE)} {money(self.seat.staked_cents)}"
        self.message = Text(staked, style="bold")

    def _place(self, line: str) -> None:
        words = line.split()
        added: dict[str, int] = {}
        while words:
            name, size = self._wager(words)
            if len(words) == size:
                called = " ".join(words)
                raise Misread(self.screen.say(phrases.NO_AMOUNT).format(called, called))
            amount = words[size]
            words = words[size + 1 :]
            free = self.seat.free_cents - sum(added.values())
            cents = free - free % self.seat.unit_cents if amount == "all" else self._amount(amount)
            if amount == "all" and not cents:
                raise Misread(self.screen.say(phrases.NOTHING_LEFT))
            added[name] = added.get(name, 0) + cents
        self.seat.place(added)

    def _wager(self, words: list[str]) -> tuple[str, int]:
        """The wager that the words begin with, by its letters or by its name, and of how many words."""
        for size in range(min(_LONGEST_NAME, len(words)), 0, -1):
            name = self.called.get(" ".join(words[:size]))
            if name:
                return name, size
        raise Misread(self.screen.say(phrases.UNKNOWN).format(words[0][:_LONGEST_ECHO]))

    def _amount(self, text: str) -> int:
        match = _AMOUNT.fullmatch(text.replace(",", ""))
        if not match:
            raise Misread(self.screen.say(phrases.BAD_AMOUNT).format(text[:_LONGEST_ECHO]))
        return int(match.group(1)) * 100 + int((match.group(2) or "0").ljust(2, "0"))

    def _play_round(self) -> None:
        seat, screen = self.seat, self.screen
        staked = bool(seat.stakes)
        self.paid = ()
        self.message = Text(screen.say(self.closes), style="bold")
        leaving = False
        for deal in seat.deal():
            self.deal = deal
            if deal.coup:
                continue  # the floor has paid by now: the last card is shown together with the result
            try:
                self._draw()
                screen.pause(hurry=leaving)
            except KeyboardInterrupt:
                leaving = True  # bets are closed: the round is played out and paid before anybody leaves (EB4 5.4)
        coup = self.deal.coup
        assert coup, "the deal has run to its end"
        self.paid = seat.settle(coup)
        won_cents = sum(each.won_cents for each in self.paid)
        self.message = screen.outcome(coup, won_cents, staked=staked)
        if seat.last_round:
            self.message.append(f"   {screen.say(phrases.LAST_ROUND)}", style=QUIET)
        screen.round(seat, coup, self.paid, self.message)
        if leaving:
            self._draw()
            raise Leave

    def _tell(self, message: str) -> None:
        message = one_line(message)
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
