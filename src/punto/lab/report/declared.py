"""What a game declares: identity, rules, pay tables, readings, and the declaration itself."""

from collections.abc import Sequence
from typing import Final

from punto import __version__
from punto.cards import Deck
from punto.games import RULEBOOKS, digest, dumps
from punto.games.readings import readings_of
from punto.lab.report.document import Align, Code, Column, Group, Listing, Section, Table, Text, named, plain_rows
from punto.lab.report.numbers import counted, whole
from punto.lab.report.results import Results
from punto.rules import Game, Language
from punto.rules.tableau import BANKER_DRAWS, STOOD
from punto.rules.wording import how_to_play

DRAWS: Final = "D"
STANDS: Final = "S"


def identity(results: Results) -> Section:
    """Which game this is, under which rules, and what it was examined with."""
    game = results.game
    rulebook = RULEBOOKS.get(game.rulebook)
    items = [("Game", game.title.en), ("Key", game.key)]
    if rulebook:
        version = f", version {rulebook.version}" if rulebook.version else ""
        items += [
            ("Rulebook", f"{rulebook.code}, {rulebook.title.en}{version}"),
            ("In force from", rulebook.in_force.strftime("%Y-%m-%d %H:%M %Z")),
        ]
    else:
        items += [("Rulebook", f"{game.rulebook}, which is not one of ours" if game.rulebook else "none")]
    items += [
        ("Declaration", digest(game)),
        ("Deck", _deck(game.deck)),
        ("Shoe", f"{results.decks} decks, {whole(results.shoe.size)} cards"),
        ("Wagers", ", ".join(wager.name for wager in game.wagers)),
        ("Made with", f"Punto {__version__}"),
    ]
    said = (
        "The declaration is the SHA-256 of all that decides money: the deck, the opening of the deal, and each wager "
        "with its clauses, conditions and odds. It is printed in full at the end; whoever has it and this version of "
        "Punto can make this document again, to the byte."
    )
    return Section("Identity", (Listing(tuple(items), ("Key", "Declaration")), Text(said)))


def rules(results: Results) -> Section:
    """How the game is played."""
    game = results.game
    steps = [
        (_spelled(step.text, game.deck), step.clause or "")
        for step in how_to_play(game, RULEBOOKS.get(game.rulebook), Language.ENGLISH)
    ]
    play = Table("How a round is played.", *_with_clauses((named("rule", wide=True),), [(steps, "", "")]))
    thirds = (*range(10), STOOD)
    tableau = Table(
        f"The Table of Play for Banker. {DRAWS}: Banker draws, {STANDS}: Banker stands; the last column is for when "
        "Player took no third card.",
        (
            Column("Banker's total", Align.CENTER),
            *[Column("stood" if third is STOOD else str(third), Align.CENTER) for third in thirds],
        ),
        plain_rows(
            [
                [str(total), *[DRAWS if third in draws else STANDS for third in thirds]]
                for total, draws in BANKER_DRAWS.items()
            ]
        ),
        marked=DRAWS,
    )
    before = Text("Banker goes by its own total and by the points of Player's third card.")
    return Section("Rules of play", (play, before, tableau))


def pays(results: Results) -> Section:
    """What each wager pays."""
    groups = [
        (
            [(pay.when.sentence(Language.ENGLISH), str(pay.odds), pay.clause) for pay in wager.pays],
            wager.name,
            wager.clause,
        )
        for wager in results.game.wagers
    ]
    columns = (named("when it pays", wide=True), Column("odds"))
    said = (
        "The lines of a wager are tried from the first to the last, and the first that fits is paid; if none fits, the "
        "stake is lost. Odds are what is won for what is staked, and the stake itself comes back with them; on a push "
        "the stake comes back alone."
    )
    return Section("Pay tables", (Text(said), Table("What every wager pays.", *_with_clauses(columns, groups))))


def interpretations(results: Results) -> Section:
    """Our readings where the rulebook leaves room."""
    rows = [[str(reading.number), reading.statement] for reading in readings_of(results.game)]
    said = (
        "Where a rulebook is silent, or its words allow two readings, one was chosen and entered in Punto's register "
        "of interpretations with the reasons. These bear on the figures of this document."
    )
    columns = (Column("number"), named("reading", wide=True))
    table = Table("Readings applied, by their number in the register.", columns, plain_rows(rows))
    return Section("Interpretations applied", (Text(said), table))


def declaration(results: Results) -> Section:
    """The declaration, complete."""
    said = (
        "All figures above follow from this text and from the Table of Play. It is read by Punto as it stands here; a "
        "letter that cannot be printed stands as its escape."
    )
    code = Code(dumps(results.game), "toml")
    return Section("The declaration", (Text(said), code), appendix=True)


def _deck(deck: Deck) -> str:
    ranks, suits = counted(len(deck.ranks), "rank", "ranks"), counted(len(deck.suits), "suit", "suits")
    named_suits = ", ".join(suit.name.title() for suit in deck.suits)
    return f"{deck.key}, {deck.size} cards: {ranks} in {suits} ({named_suits})"


def _spelled(text: str, deck: Deck) -> str:
    """The text with the names of ranks whose signs are Chinese."""
    for rank in deck.ranks:
        if not rank.sign.isascii():
            text = text.replace(rank.sign, rank.name.title())
    return text


def _with_clauses(
    columns: tuple[Column, ...], groups: Sequence[tuple[Sequence[tuple[str, ...]], str, str]]
) -> tuple[tuple[Column, ...], tuple[Group, ...]]:
    """Columns and groups of rows that end in a clause; without that column if no row has one."""
    some = any(row[-1] for rows, _, _ in groups for row in rows)
    kept = [Group(tuple(row if some else row[:-1] for row in rows), title, aside) for rows, title, aside in groups]
    return (*columns, named("clause")) if some else columns, tuple(kept)


def of_game(game: Game) -> str:
    """What the head of each page says."""
    return f"{game.key} · {digest(game)[:12]}"
