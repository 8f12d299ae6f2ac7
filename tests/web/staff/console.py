"""The pages of staff and patrons as tests use them: by the names that a person reads or hears."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Locator, Page, WebSocket, expect

from punto.cards import parse_card
from punto.rules import Found
from punto.server.words.irregularities import FOUND, INPUTS

GROUPS: Final = {
    "The cards": (
        Found.EXTRA_CARDS,
        Found.MISSING_CARDS,
        Found.FOREIGN_CARDS,
        Found.UNSHUFFLED_CARDS,
        Found.TOO_FEW_CARDS,
        Found.FACE_UP_IN_DEVICE,
        Found.ORDER_ALTERED,
        Found.CARD_SEEN,
    ),
    "The deal": (
        Found.WRONG_ORDER,
        Found.WRONG_NUMBER,
        Found.DRAWN_TOGETHER,
        Found.DEALT_FACE_UP,
        Found.EXPOSED_IN_ERROR,
        Found.CUTTING_CARD_FIRST,
    ),
    "A patron": (Found.WRONG_PATRON, Found.NOT_PASSED, Found.PATRON_ABSENT, Found.CARDS_CARRIED_OFF),
    "A wager": (Found.OFF_LIMITS,),
    "The device or the power": (
        Found.INTERRUPTION,
        Found.TERMINALS_DOWN,
        Found.DEVICE_RESET,
        Found.EXPOSED_IN_MOVING,
        Found.DISORDERED_IN_MOVING,
    ),
    "A display": (Found.DISPLAY_WRONG,),
    "Something else": (Found.OTHER,),
}
_RANKS: Final = dict(
    zip(
        "A23456789TJQKSLF",
        "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King Sau Luk Fuk".split(),
        strict=True,
    )
)
_SUITS: Final = dict(zip("shdcfgeow", "spades hearts diamonds clubs fire gold earth wood water".split(), strict=True))
_ANSWERS: Final = frozenset({"accepted", "proposed", "refused", "ticket"})
_VERSION: Final = re.compile(r'"version":(\d+)')
_PACE_MS: Final = 360
_MOST_LYING: Final = 3
# What a decision that is pending is called.
_PENDING: Final = re.compile(
    "Patrons may withdraw|In which order|Decide what was referred|Cards were carried off|table differential"
    "|客人可撤回|先后次序|裁决所呈报|有牌被带走|超出台面差额"
)


def card_name(card: str) -> str:
    """A card as it is read out.

    >>> card_name("Ts")
    'Ten of spades'
    """
    return f"{_RANKS[card[0]]} of {_SUITS[card[1]]}"


def money(cents: int) -> str:
    """An amount as it is typed and shown.

    >>> money(123450)
    '1,234.50'
    """
    return f"{cents / 100:,.2f}"


class Screen:
    """A page, and how one waits for the answer to what was done on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def live(self) -> WebSocket:
        """The page's connection, once there is one."""
        if not hasattr(self.page, "live"):
            self.page.wait_for_event("websocket")
        live: WebSocket = self.page.live  # type: ignore[attr-defined]
        return live

    @property
    def frames(self) -> list[str]:
        """All that the page was told."""
        heard: list[str] = self.page.frames_heard  # type: ignore[attr-defined]
        return heard

    def answered(self, do: Callable[[], None]) -> str:
        """Do something that asks the floor, and wait for its answer; not to what the page has asked by itself."""

        def answers(frame: object) -> list[str]:
            unasked: set[str] = self.page.sent_unasked  # type: ignore[attr-defined]
            told = json.loads(str(frame))
            return [each["t"] for each in told if each["t"] in _ANSWERS and each["id"] not in unasked]

        with self.live.expect_event("framereceived", lambda frame: bool(answers(frame))) as answer:
            do()
        return answers(answer.value)[0]

    def until(self, version: int) -> None:
        """Wait until the page has been told so much of the table's log."""

        def tells(frame: object) -> bool:
            return any(int(told) >= version for told in _VERSION.findall(str(frame)))

        self.told(tells)

    def told(self, tells: Callable[[object], bool]) -> None:
        """Wait until the page has been told something."""
        if not any(map(tells, self.frames)):
            self.live.wait_for_event("framereceived", tells)

    def done(self, do: Callable[[], None]) -> None:
        """Do something that the floor must accept."""
        answer = self.answered(do)
        assert answer == "accepted", self.page.get_by_role("alert").all_inner_texts()

    def button(self, name: str, within: Locator | None = None) -> Locator:
        """A button by its whole name, whatever key is printed on it."""
        return (within or self.page).get_by_role(
            "button", name=re.compile(rf"^{re.escape(name)}(\s.{{1,5}})?$", re.DOTALL)
        )

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def shut(self) -> None:
        """Close what is open, and wait until the page has the keys again."""
        self.page.keyboard.press("Escape")
        expect(self.dialog).to_be_hidden()
        self.page.wait_for_function("() => !document.activeElement?.closest('dialog')")

    def type_cards(self, cards: Iterable[str]) -> None:
        """Type cards as a scanner does: rank and suit."""
        self.page.keyboard.type("".join(cards))


class Decisions(Screen):
    """The form of what is pending, wherever it stands."""

    @property
    def decision(self) -> Locator:
        return self.page.get_by_role("region", name=_PENDING)

    def order(self, cards: Iterable[str]) -> None:
        """Say in which order cards came; those of the initial deal have their places."""
        given = self.button("This is the order", self.decision)
        expect(given).to_be_visible()
        for card in cards:
            place = self.decision.get_by_role("button", name=card_name(card), exact=True, disabled=False)
            if place.count():
                place.first.click()
        self.done(given.click)

    def set_aside(self, cards: Iterable[str]) -> None:
        """Set two cards aside before the count."""
        expect(self.decision.get_by_role("group", name="Card keypad")).to_be_visible()
        self.type_cards(cards)
        self.done(self.button("Set aside", self.decision).click)

    def count(self, device: Iterable[str], discards: Iterable[str]) -> None:
        """Count what is left: the device is scanned, the discards are written down."""
        self.decision.get_by_role("button", name=re.compile("^Device: ")).click()
        self.type_cards(device)
        self.decision.get_by_role("button", name=re.compile("^Discards: ")).click()
        pile = list(discards)
        for card in dict.fromkeys(pile):
            cell = self.decision.get_by_role("spinbutton", name=f"{card_name(card)}, Discards")
            cell.fill(str(pile.count(card)))
        expect(self.decision.get_by_role("button", name=f"Discards: {len(pile)}")).to_be_visible()
        self.done(self.button("Counted", self.decision).click)

    def assign(self, cards: Iterable[str]) -> None:
        """Give each missing card its place."""
        for card in cards:
            self.decision.get_by_role("button", name=card, exact=True, disabled=False).first.click()
        self.done(self.button("Put them in place", self.decision).click)

    def remove(self, wager: str, leaves_cents: int) -> None:
        """Take a wager off the heavier hand, or a part of it."""
        row = self.decision.get_by_role("listitem").filter(has_text=wager)
        row.get_by_label("Leave").fill(money(leaves_cents))
        self.done(self.button("Remove", row).click)

    def answer(self, patron: str, wagers: Iterable[str], *, whole: bool) -> None:
        """Record what a patron says to an offer of withdrawal."""
        row = self.decision.get_by_role("listitem").filter(has_text=patron)
        named = list(wagers)
        if not named:
            self.done(self.button("Plays on", row).click)
        elif whole:
            self.done(self.button("Withdraws all", row).click)
        else:
            for wager in named:
                row.get_by_role("checkbox", name=wager).check()
            self.done(self.button("Withdraws what is ticked", row).click)

    def call_time(self) -> None:
        """Say that the time for answers is up, once the page knows that it is."""
        expect(self.decision.get_by_role("timer")).to_have_accessible_name("0 seconds left")
        self.done(self.button("Call time", self.decision).click)


class Office(Decisions):
    """The pit's console, open at a table or in a section of its own."""

    def panel(self, title: str) -> Locator:
        """A part of the page, by its heading."""
        return self.page.get_by_role("region", name=title, exact=True)

    def said(self, words: str) -> None:
        """Wait until it was said in passing."""
        expect(self.page.get_by_role("status").filter(has_text=words)).to_be_visible()


class Console(Decisions):
    """The dealer's console."""

    @property
    def act(self) -> Locator:
        """The one large button."""
        return self.next_act.get_by_role("button").first

    def hand(self, side: str) -> Locator:
        """A hand as it lies."""
        return self.page.get_by_role("region", name=side, exact=True)

    @property
    def next_act(self) -> Locator:
        return self.page.get_by_role("region", name="Next act")

    def pace(self) -> None:
        """The pace of a hand: a second press within a moment is a slip, and does nothing."""
        self.page.clock.fast_forward(_PACE_MS)

    def press(self, button: Locator | None = None) -> None:
        """Press the large button, or the one beside it."""
        self.pace()
        (button or self.act).click()

    def opened(self, name: str) -> Locator:
        """A sheet, opened by its button."""
        self.page.get_by_role("contentinfo").get_by_role("button", name=re.compile(f"^{name}")).click()
        expect(self.dialog).to_be_visible()
        return self.dialog

    def hands(self) -> int:
        """How many cards lie there."""
        return self._lying.count()

    def settled(self, before: int) -> None:
        """Wait until there are more."""
        expect(self._lying).not_to_have_count(before)

    @property
    def _lying(self) -> Locator:
        return self.hand("Player").or_(self.hand("Banker")).get_by_role("img")

    def take(self) -> None:
        """Deal here."""
        self.press()
        expect(self.page.get_by_text("You deal", exact=True)).to_be_visible()

    def next(self, label: str) -> None:
        """Press the large button, which must say what comes next."""
        expect(self.act).to_contain_text(label)
        self.done(self.press)

    def other(self, label: str) -> None:
        """Press what may happen instead."""
        self.done(lambda: self.press(self.page.get_by_role("button", name=re.compile(f"^{label}"))))

    def report(self, found: Found, **fields: Any) -> None:  # noqa: ANN401
        """Report an irregularity, and see what follows."""
        self.choose(found)
        self.fill(fields)
        self.done(self.button("Report", self.dialog).click)
        expect(self.dialog.get_by_role("heading", level=2, name="What follows")).to_be_visible()
        self.dialog.get_by_role("button", name="Close").last.click()
        expect(self.dialog).to_be_hidden()

    def propose(self, found: Found, **fields: Any) -> None:  # noqa: ANN401
        """Report an irregularity that a second person must confirm."""
        self.choose(found)
        self.fill(fields)
        assert self.answered(self.button("Report", self.dialog).click) == "proposed"
        expect(self.dialog.get_by_role("status")).to_contain_text("in a session of their own")
        self.shut()
        expect(self.button("Withdraw", self.proposals)).to_be_visible()

    @property
    def proposals(self) -> Locator:
        return self.page.get_by_role("region", name="Waits for a second person")

    def confirm(self) -> None:
        """Confirm what somebody else has proposed."""
        self.done(self.button("Confirm", self.proposals).click)
        expect(self.proposals).to_have_count(0)

    def choose(self, found: Found) -> None:
        """Go to the report of an irregularity."""
        self.button("Irregularity").click()
        group = next(name for name, all_ in GROUPS.items() if found in all_)
        self.dialog.get_by_role("button", name=re.compile(f"{group}")).click()
        title = FOUND[found].title.en
        report = self.button("Report", self.dialog)
        matter = self.dialog.get_by_role("button").filter(has=self.page.get_by_text(title, exact=True))
        expect(report.or_(matter)).to_be_visible()
        if matter.count():
            matter.click()
        expect(self.dialog.get_by_role("heading", level=2, name=title)).to_be_visible()

    def fill(self, fields: dict[str, Any]) -> None:
        """Fill in a report as its command has it; cards that came together have their places once all are entered."""
        for name, value in sorted(fields.items(), key=lambda each: each[0] == "together"):
            label = INPUTS[name].en
            field = self.dialog.get_by_label(label)
            match name:
                case "order_known":
                    field.set_checked(value)
                case "side":
                    self.button(str(value).capitalize(), self.dialog).click()
                case "number":
                    field.select_option(str(value))
                case "stake_cents":
                    field.fill(money(value))
                case "terminals":
                    field.fill(", ".join(map(str, value)))
                case "cards" if isinstance(value, int):
                    self.dialog.get_by_label("How many cards of that hand are gone").fill(str(value))
                case "cards" | "player" | "banker" | "order" | "left" | "other_left":
                    self._enter(label, value.split())
                case "together" | "places":
                    self.choose_places(label, value)
                case _:
                    field.fill(str(value))

    def choose_places(self, label: str, places: Iterable[int]) -> None:
        """Touch cards by their places, counted from 1."""
        cards = self.dialog.get_by_role("group", name=re.compile(f"^{re.escape(label)}"))
        for place in places:
            cards.get_by_role("button").nth(place - 1).click()

    def restore(self, terminals: Iterable[int]) -> None:
        """Say that terminals are back, one by one."""
        for terminal in terminals:
            self.done(self.page.get_by_role("button", name=f"Back: terminal {terminal}", exact=True).click)

    def keep_shoe(self, reason: str, counted: int | None = None) -> None:
        """Decide against replacing the cards."""
        self.opened("Shoe")
        if counted is not None:
            self.dialog.get_by_label("Cards counted in the shoe").fill(str(counted))
        self.dialog.get_by_label("Reason, for the record").fill(reason)
        self.done(self.button("Keep the cards", self.dialog).click)
        expect(self.dialog).to_be_hidden()

    def vouch(self, wager: str) -> None:
        """Vouch that a patron asked for a wager."""
        asked = self.page.get_by_role("region", name="To vouch for")
        self.done(asked.get_by_role("button", name=wager).click)

    def place(self, patron: str, position: int, wager: str, cents: int, same_moment_as: int = 0) -> None:
        """Place a wager for a patron, maybe at the same moment as another."""
        sheet = self.opened("Wager")
        sheet.get_by_label("Position").select_option(str(position))
        sheet.get_by_label("Patron").fill(patron)
        on = sheet.get_by_role("group", name="On", exact=True)
        on.get_by_role("button", name=wager, exact=True).click()
        sheet.get_by_label("Amount").fill(money(cents))
        if same_moment_as:
            sheet.get_by_label("At the same moment as").select_option(str(same_moment_as))
        self.done(self.button("Place", sheet).click)
        self.shut()

    def _enter(self, label: str, cards: Iterable[str]) -> None:
        """Enter a line of cards in the place of what stands there; a question mark lies face down."""
        self.dialog.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).click()
        for _ in range(_MOST_LYING):
            self.page.keyboard.press("Backspace")
        self.type_cards(card if card == "?" else str(parse_card(card)) for card in cards)


class Terminal(Screen):
    """A patron's terminal."""

    def __init__(self, page: Page, patron: str) -> None:
        super().__init__(page)
        self.patron = patron

    def answer(self, wagers: Iterable[str], *, whole: bool) -> None:
        """Answer an offer of withdrawal."""
        offer = self.page.get_by_role("dialog", name="You may withdraw")
        expect(offer).to_be_visible()
        named = list(wagers)
        if not named:
            self.done(self.button("Play on", offer).click)
        elif whole:
            self.done(self.button("Withdraw all", offer).click)
        else:
            for wager in named:
                offer.get_by_role("checkbox", name=wager).check()
            self.done(self.button("Withdraw these", offer).click)
        expect(offer).to_be_hidden()

    def buy(self) -> None:
        """Begin with the play credits that a guest is given, unless there are some already."""
        first = self.button("Take $1,000.00 and play")
        ready = self.page.get_by_role("button", name=re.compile("^Player, pays"))
        expect(first.or_(ready).first).to_be_visible()
        if first.is_visible():
            self.done(first.click)

    def stake(self, wager: str, times: int = 1) -> None:
        """Put the chip down so many times."""
        area = self.page.get_by_role("button", name=re.compile(f"^{wager}, pays"))
        for _ in range(times):
            self.done(area.click)

    @property
    def cards(self) -> Locator:
        """The cards that are this patron's to squeeze."""
        return self.page.get_by_role("slider", name=re.compile("^Squeeze the card"))

    def squeeze(self, card: Locator, share: float) -> None:
        """Drag a card's left edge with the mouse, over so much of its width, and let go."""
        box = card.bounding_box()
        assert box
        mouse, y = self.page.mouse, box["y"] + box["height"] / 2
        mouse.move(box["x"] + 3, y)
        mouse.down()
        with self._bending():
            mouse.move(box["x"] + 3 + box["width"] * share, y, steps=12)
        mouse.up()

    def touch(self, card: Locator, share: float) -> None:
        """The same with a finger."""
        box = card.bounding_box()
        assert box
        session = self.page.context.new_cdp_session(self.page)
        x, y = box["x"] + 3, box["y"] + box["height"] / 2

        def point(kind: str, at: float | None = None) -> None:
            points = [] if at is None else [{"x": at, "y": y}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        point("touchStart", x)
        with self._bending():
            for step in range(1, 13):
                point("touchMove", x + box["width"] * share * step / 12)
        point("touchEnd")

    @contextmanager
    def _bending(self) -> Iterator[None]:
        """A bend is told ten times a second, and not at once: a card that is let go before is seen by nobody."""
        with self.live.expect_event("framesent", lambda frame: '"t":"bend"' in str(frame)):
            yield

    def holding(self) -> set[str]:
        """The cards that this patron alone was told."""
        told: set[str] = set()
        for frame in self.frames:
            for message in json.loads(frame):
                for cards in (message.get("set") or {}).get("holding", {}).values() if message["t"] == "own" else ():
                    told.update(filter(None, cards))
        return told
