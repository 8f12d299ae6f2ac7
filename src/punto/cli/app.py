"""The commands and their options. What a command needs is imported when it runs."""

import click

from punto import __version__
from punto.cli import keys, laboratory
from punto.cli.options import AS_JSON, DECKS, GAME, LANGUAGE, Source, Whole, language_of, number_of, was_given
from punto.errors import BadUsage, quoted

LAST_PORT = 65_535


class Commands(click.Group):
    """The commands; one that does not exist is refused with those that do."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names."""
        if arguments[0] not in self.commands and not arguments[0].startswith("-"):
            known = ", ".join(self.list_commands(context))
            raise BadUsage(f"argument 1: {quoted(arguments[0])} is not a command: expected {known}")
        return super().resolve_command(context, arguments)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="punto %(version)s")
def app() -> None:
    """Baccarat by the book: games, settlement, roads, odds, tables and their record.

    A GAME is a game's key (see `punto games`) or a FILE.toml that declares one.
    """


@app.command()
@AS_JSON
@LANGUAGE
def games(*, as_json: bool, lang: str) -> None:
    """List the eleven games."""
    from punto.cli import games as command

    command.show(as_json=as_json, language=language_of(lang))


@app.command()
@GAME
@LANGUAGE
@click.option("--toml", "as_toml", is_flag=True, help="Print the declaration as TOML.")
def rules(game: str, lang: str, *, as_toml: bool) -> None:
    """Show how a game is played and what it pays.

    Each line has the clause that is behind it.
    """
    from punto.cli import rules as command
    from punto.cli.files import game_named

    command.show(game_named(game), language_of(lang), as_toml=as_toml)


@app.command()
@GAME
@click.argument("cards", metavar="[CARDS]", nargs=-1)
@DECKS
@click.option("--batch", metavar="FILE", help="One deal a line, one JSON object a line; - is standard input.")
@AS_JSON
@LANGUAGE
def settle(game: str, cards: tuple[str, ...], decks: int, batch: str | None, lang: str, *, as_json: bool) -> int:
    """Settle every wager on a deal.

    Of a partial deal, say what it already decides.

    CARDS are in the order dealt, as in "As Kd 7h 9c"; 7 Up's without the permanent 7.
    """
    from punto.cli import settle as command
    from punto.cli.files import game_named

    if bool(cards) == (batch is not None):
        raise BadUsage("settle: expected either CARDS or --batch FILE")
    answers = command.Answers(game_named(game), decks, language_of(lang))
    if batch is not None:
        return command.batch(answers, batch)
    command.show(answers, " ".join(cards), as_json=as_json)
    return 0


@app.command()
@click.argument("outcomes", metavar="OUTCOMES")
@AS_JSON
@LANGUAGE
def roads(outcomes: str, lang: str, *, as_json: bool) -> None:
    """Draw the roads of a shoe.

    Bead plate, big road, the three derived roads, ask-the-road.

    OUTCOMES are letters as in BPTPbPB: B, P or T, each followed by b and p for its pairs.
    """
    from punto.cli import roads as command

    command.show(outcomes, language_of(lang), as_json=as_json)


@app.command()
@click.argument("game", metavar="[GAME]", default="fortune-six")
@DECKS
@click.option("--seed", type=Whole("seed", "a whole number"), help="The same shoes every time, for practice.")
@click.option("--fast", is_flag=True, help="No pauses while cards are dealt.")
@LANGUAGE
def play(game: str, decks: int, seed: int | None, lang: str, *, fast: bool) -> None:
    """Sit down at a table in the terminal."""
    from punto.cli.files import game_named
    from punto.cli.play import sit_down

    sit_down(game_named(game), decks, seed=seed, fast=fast, language=language_of(lang))


STORE = click.argument("store", metavar="STORE")
STORE_OR_FLOOR = click.argument("store", metavar="STORE|FLOOR.toml")
TABLE = click.option("--table", metavar="TABLE", help="The table, by its name.")
KEY = click.option(
    "--key", metavar="FILE", help="The floor's key; default: beside an SQLite file, or where the floor's file says."
)


@app.command()
@click.argument("file", metavar="FILE.jsonl|FOLDER")
@click.option("--store", default="memory:", show_default=True, metavar="STORE", help="Where the tables are kept.")
@click.option("--under", metavar="RULEBOOK", help="Only under this one of the rulebooks that it names.")
@KEY
@AS_JSON
def scenario(file: str, store: str, under: str | None, key: str | None, *, as_json: bool) -> int:
    """Play a scenario, or every scenario below a folder.

    A scenario is one command a line, with what must follow from it (docs/scenarios). The exit status is 1 if anything
    is otherwise. Of a folder, each scenario is one line, and a sum comes last.
    """
    from punto.cli import scenario as command

    return command.run(file, store, key, under, as_json=as_json)


@app.command()
@click.argument("kind", metavar="commands|events")
def schema(kind: str) -> None:
    """Print the JSON Schema of commands or of events."""
    from punto.cli import schema as command

    command.show(kind)


@app.command()
@STORE
@TABLE
@click.option(
    "--by", default="table", show_default=True, metavar="table|terminal|day|shift|patron", help="One line for each."
)
@click.option("--csv", "as_csv", is_flag=True, help="In cents, as comma-separated values.")
@KEY
def books(store: str, table: str | None, by: str, key: str | None, *, as_csv: bool) -> int:
    """Add up the meters of tables.

    In, out, wagered, won, returned, drop and hold, from the events and not from the ledger; by patron, credits and
    debts.
    """
    from punto.cli import books as command

    return command.show(Source(store, key), table, by, as_csv=as_csv)


@app.command()
@STORE_OR_FLOOR
@click.option("--open", "only_open", is_flag=True, help="Only those that wait for an answer.")
@KEY
@AS_JSON
def claims(store: str, key: str | None, *, only_open: bool, as_json: bool) -> int:
    """List what patrons have claimed about rounds.

    Each with its table and round, until when it is due, and what was answered. What was said in words is not in the
    record, and not shown.
    """
    from punto.cli import claims as command

    return command.show(Source(store, key), only_open=only_open, as_json=as_json)


@app.command()
@STORE_OR_FLOOR
@click.option("--head", metavar="FILE", help="Heads or a checkpoint that were kept elsewhere (see `punto head`).")
@click.option("--public", metavar="KEY", help="The floor's public key; default: that of the key file.")
@KEY
@AS_JSON
def audit(store: str, head: str | None, public: str | None, key: str | None, *, as_json: bool) -> int:
    """Check all that a store holds.

    Everything is replayed with none of the floor's code, and the first thing that is wrong is named first.
    """
    from punto.cli import audit as command

    return command.run(store, key, public, head, as_json=as_json)


@app.command()
@STORE_OR_FLOOR
@click.option("--by", metavar="NAME", help="Who migrates it; default: the user of this machine.")
@KEY
def migrate(store: str, by: str | None, key: str | None) -> None:
    """Bring up to date a store that an older Punto has signed.

    Its record is checked from the first entry to the last, signed over once more, and otherwise left as it is. The
    migration itself is on record.
    """
    from punto.cli import upkeep as command

    command.run_migrate(store, key, by)


@app.command()
@click.option("--release", metavar="FILE", help="Compare with this manifest, which was kept elsewhere.")
@click.option("--digest", metavar="HEX", help="Compare with this root of a release, which was kept elsewhere.")
@click.option("--list", "as_list", is_flag=True, help="Print the digest of each file, as sha256sum does.")
@click.option("--only-punto", is_flag=True, help="Leave out Python and the dependencies.")
@click.option("--accept", metavar="FLOOR.toml", help="Have that floor compare with the program as it is now.")
@click.option("--by", metavar="NAME", help="With --accept: who decides it.")
@click.option("--reason", metavar="TEXT", help="With --accept: why; an upgrade, a new dependency.")
@AS_JSON
def program(
    release: str | None,
    digest: str | None,
    accept: str | None,
    by: str | None,
    reason: str | None,
    *,
    as_list: bool,
    only_punto: bool,
    as_json: bool,
) -> int:
    """Check whether the program's files are those of its release.

    Each file of Punto is compared with the manifest of the release, each compiled file with its source, and each file
    of a dependency with what was installed. The exit status is 0 when all are the same, 1 when some differ, and 2 when
    there is nothing to compare with.

    A floor compares with what it measured first. After an upgrade somebody accepts the program as it is now, by name;
    that goes on record. The floor may be open or closed.
    """
    from punto.cli import program as command

    if accept is not None:
        if release or digest or as_list or only_punto or as_json:
            raise BadUsage("--accept stands alone: expected --by and --reason with it, and nothing else")
        return command.run_accept(accept, by or "", reason or "")
    if by is not None or reason is not None:
        raise BadUsage("--by, --reason: expected --accept with them")
    if as_list:
        if release or digest:
            raise BadUsage("--list stands alone: leave out --release and --digest")
        return command.show_list(whole=not only_punto, as_json=as_json)
    return command.run(release, digest, whole=not only_punto, as_json=as_json)


@app.command()
@STORE_OR_FLOOR
@click.argument("copy", metavar="COPY")
def backup(store: str, copy: str) -> None:
    """Copy an SQLite store, also while its floor is open.

    The copy is the store at one moment. It appears under its name when it is whole.
    """
    from punto.cli import upkeep as command

    command.run_backup(store, copy)


@app.command()
@STORE_OR_FLOOR
@click.option(
    "--checkpoints",
    metavar="FOLDER",
    multiple=True,
    help="Compare the store with what is kept there; default: the folders of the floor, if it was named.",
)
@click.option("--set-aside", metavar="REASON", help="Move what nobody has signed into a file, and say why.")
@click.option("--by", metavar="NAME", help="Who decides that.")
@KEY
@AS_JSON
def repair(
    store: str,
    key: str | None,
    checkpoints: tuple[str, ...],
    set_aside: str | None,
    by: str | None,
    *,
    as_json: bool,
) -> int | None:
    """Say how far each stream of a store is believed, and what lies beyond.

    Nothing is changed, unless a person decides to set aside what nobody has signed. The floor must be closed for that.
    A store that is older than what is kept outside, or tells another history, is not repaired.
    """
    from punto.cli import repair as command

    if by is not None and set_aside is None:
        raise BadUsage("--by: expected --set-aside with it")
    if set_aside is not None:
        command.put_aside(store, key, checkpoints, by, set_aside)
        return None
    return command.report(store, key, checkpoints, as_json=as_json)


@app.command()
@click.argument("store", metavar="STORE|FLOOR.toml", required=False)
@click.option("--day", metavar="DAY", help="The gaming day: 2026-11-17.")
@click.option("-o", "--output", metavar="FILE", help="The file to write.")
@click.option("--check", metavar="FILE", help="Check such a file instead.")
@click.option("--public", metavar="KEY", multiple=True, help="For a check: the floor's public key; may come often.")
@click.option("--key", metavar="FILE", multiple=True, help="A file with the floor's key; may come often.")
@click.option("--checkpoint", metavar="FILE", help="For a check: a checkpoint that was kept outside.")
def archive(
    store: str | None,
    day: str | None,
    output: str | None,
    check: str | None,
    public: tuple[str, ...],
    key: tuple[str, ...],
    checkpoint: str | None,
) -> None:
    """Write a sealed gaming day as one file, or check one.

    The file holds the day's entries, its seal, the heads and the checkpoint that cover it. It is checked without the
    store: chains, digests, signatures, and that the checkpoint covers the heads. The floor's key of today is enough,
    unless the file was written before a rotation: then name the former key, too.
    """
    from punto.cli import archive as command

    if check is not None:
        if store or day or output:
            raise BadUsage("--check stands alone: leave out the store, --day and -o")
        command.check(check, public, key, checkpoint)
    elif store and day and output:
        if len(key) > 1:
            raise BadUsage("--key: expected one key of the floor that has written the store")
        command.write(Source(store, key[0] if key else None), day, output)
    else:
        raise BadUsage("expected STORE --day DAY -o FILE, or --check FILE")


@app.command()
@click.argument("file", metavar="FLOOR.toml|FOLDER")
@click.option("--by", metavar="NAME", required=True, help="Who decides it.")
@click.option("--reason", metavar="TEXT", required=True, help="Why: a folder was lost, a copy was restored.")
def accept(file: str, by: str, reason: str) -> None:
    """Record the decision to open a floor without its checkpoints.

    A floor does not open when its store is older than what is kept outside or than what the floor has seen there, or
    when nothing is kept outside any more.
    Whoever knows why records it here; what was outside is set aside, not deleted.
    """
    from punto.cli import upkeep as command

    command.run_accept(file, by, reason)


@app.command()
@click.argument("file", metavar="FLOOR.toml|FOLDER")
@click.argument("name", metavar="NAME")
@click.option("--by", metavar="NAME", required=True, help="Who decides it.")
@click.option("--reason", metavar="TEXT", required=True, help="Why: a phone was lost, a password forgotten.")
def recover(file: str, name: str, by: str, reason: str) -> None:
    """Let somebody on the staff in again who has lost passkeys, codes or password.

    Prints a code that is good once, for 10 minutes, at the staff entrance. That takes the floor's key, and goes on
    record. The floor may be open or closed.
    """
    from punto.cli import recover as command

    command.run_recover(file, name, by, reason)


@app.command()
@STORE
@click.option(
    "--since", metavar="WHEN", help="Only what happened since: 90m, 24h, 7d, or a day and a time in Singapore."
)
@click.option("--kind", "kinds", metavar="KIND", multiple=True, help="Only this kind; may be given several times.")
@click.option("--last", type=Whole("last", "1 or more"), help="Only the last so many.")
@KEY
@AS_JSON
def events(
    store: str, since: str | None, kinds: tuple[str, ...], last: int | None, key: str | None, *, as_json: bool
) -> int:
    """Show significant events: starts, stops, authority, sign-ins that failed, clocks, audits, tickets and more.

    STORE is a store, or the file or folder of its floor. The newest comes last.
    """
    from punto.cli import significant as command

    return command.show(Source(store, key), since, kinds, last, as_json=as_json)


@app.command()
@click.argument("file", metavar="FLOOR.toml|FOLDER")
@click.argument("name", metavar="NAME")
@click.option("--json", "as_json", is_flag=True, help="As JSON, to be handed to the person.")
@click.option("--erase", is_flag=True, help="Erase all that no law requires to stay.")
@click.option("--by", metavar="NAME", help="With --erase: who decides it.")
@click.option("--reason", metavar="TEXT", help="With --erase: why; it stays on record, and must not name the person.")
def person(file: str, name: str, as_json: bool, erase: bool, by: str | None, reason: str | None) -> None:  # noqa: FBT001
    """Show what is kept about somebody beside the record, or erase it.

    NAME is the name on record, such as a patron's or an account's. This takes the floor's key. It goes on record
    that somebody looked, or erased. The floor may be open or closed.
    """
    from punto.cli import person as command

    command.run_person(file, name, as_json=as_json, erase=(by or "", reason or "") if erase else None)


@app.command("head")
@STORE
@KEY
def head_(store: str, key: str | None) -> int:
    """Print the last signed heads of a store, to be kept elsewhere."""
    from punto.cli import audit as command

    return command.show_head(Source(store, key))


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option(
    "--round", "number", type=Whole("round", "a whole number"), required=True, help="The round, by its number."
)
@KEY
@AS_JSON
@LANGUAGE
def replay(store: str, table: str, number: int, key: str | None, lang: str, *, as_json: bool) -> int:
    """Show a round step by step, and why each wager was paid."""
    from punto.cli import replay as command

    return command.show_round(Source(store, key), table, number, language_of(lang), as_json=as_json)


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option("--rounds", type=Whole("rounds", "1 or more"), default=10, show_default=True, help="How many.")
@click.option("--patron", metavar="NAME", help="Only this patron's wagers.")
@KEY
@AS_JSON
def recall(store: str, table: str, rounds: int, patron: str | None, key: str | None, *, as_json: bool) -> int:
    """Show the last rounds of a table.

    With wagers, cards, and credits before and after; the unfinished round too.
    """
    from punto.cli import replay as command

    return command.show_recall(Source(store, key), table, rounds, patron, as_json=as_json)


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option("--shoe", type=Whole("shoe", "a whole number"), required=True, help="The shoe's number.")
@KEY
def export(store: str, table: str, shoe: int, key: str | None) -> int:
    """Print a shoe as a portable text, one coup a line."""
    from punto.cli import shoes as command

    return command.write_shoe(Source(store, key), table, shoe)


@app.command("import")
@click.argument("file", metavar="FILE")
@click.option("--store", metavar="STORE", required=True, help="Where the shoe goes.")
@click.option("--table", metavar="TABLE", default="imported", show_default=True, help="The table that it becomes.")
@KEY
def import_(file: str, store: str, table: str, key: str | None) -> None:
    """Check a shoe's text and play it again on a table of its own."""
    from punto.cli import shoes as command

    command.bring_in(file, store, table, key)


@app.command()
@click.argument("file", metavar="FILE")
@click.option("--checkpoint", metavar="FILE", help="Of a receipt: a checkpoint that it must agree with.")
@click.option("--consistency", metavar="FILE", help="The proof that joins the receipt's checkpoint to that one.")
@click.option(
    "--key",
    "keys",
    metavar="PUBLIC",
    multiple=True,
    help="Of a receipt: the floor's public key, under which it must be signed; a former key besides.",
)
@AS_JSON
def verify(file: str, checkpoint: str | None, consistency: str | None, keys: tuple[str, ...], *, as_json: bool) -> int:
    """Check a shoe's text or a receipt, whoever made it.

    Of a shoe: cards, coups, outcomes, payments, and what it was committed to. Of a receipt: every hash and signature.
    """
    from punto.cli import receipts, shoes
    from punto.cli.files import LONGEST_PROOF, read_text

    text = read_text(file, LONGEST_PROOF)
    if receipts.is_receipt(text):
        return receipts.check(file, text, receipts.Outside(checkpoint, consistency, keys), as_json=as_json)
    if checkpoint or consistency or keys:
        raise BadUsage(f"{file}: not a receipt: expected one with --checkpoint, --consistency or --key")
    return shoes.check(file, text, as_json=as_json)


@app.command()
@click.argument("file", metavar="[FILE.toml]", required=False)
@click.option("--check", is_flag=True, help="Only say what is wrong with the file.")
@click.option("--demonstration", is_flag=True, help="A floor to try: eleven tables, automatic dealers, play credits.")
@click.option("--folder", metavar="FOLDER", help="Where a demonstration is kept; default: with the user's data.")
@click.option("--fresh", is_flag=True, help="A demonstration in a new folder for temporary files.")
@click.option(
    "--port",
    type=Whole("port", "0 to 65535"),
    default=8421,
    show_default=True,
    help="A demonstration's first port to try.",
)
def serve(file: str | None, folder: str | None, port: int, *, check: bool, demonstration: bool, fresh: bool) -> int:
    """Open a floor in the browser.

    The one that FILE.toml declares (see `punto init` and docs/floor.md), or a demonstration, on this machine only.
    """
    if (file is None) is not demonstration:
        raise BadUsage("serve: expected either a FILE.toml or --demonstration")
    if check and demonstration:
        raise BadUsage("--check: a demonstration has no file: expected FILE.toml")
    if file is not None and (folder or fresh or was_given("port")):
        raise BadUsage("--folder, --fresh and --port are for a demonstration: the file says where a floor is")
    if folder and fresh:
        raise BadUsage("--folder and --fresh: expected one of them")
    if not 0 <= port <= LAST_PORT:
        raise BadUsage(f"--port: {port} is no port: expected 0 to {LAST_PORT}")
    from punto.cli import serve as command

    if file is not None:
        return command.run_file(file, check=check)
    return command.run_demonstration(folder, port, fresh=fresh)


@app.command()
@click.argument("folder", metavar="FOLDER")
@click.option("--name", metavar="NAME", help="What the floor is called.")
@click.option("--currency", metavar="SIGN", help="The sign before amounts.")
@click.option("--games", metavar="GAMES", help="Their keys, with commas between them, or all: one table for each.")
@click.option("--store", metavar="STORE", help="Where the record is kept; default: a file in the folder.")
@click.option("--checkpoints", metavar="FOLDER", help="Where signed checkpoints are kept, best on another disk.")
@click.option("--key-file", metavar="FILE", help="Where the floor's key goes, best not with the store.")
@click.option("--signer", is_flag=True, help="Two keys: one for a signer, one for the floor (see `punto signer`).")
@click.option("--host", metavar="ADDRESS", help="The address to listen on.")
@click.option("--port", type=Whole("port", "1 to 65535"), help="The port to listen on.")
@click.option("--proxy", is_flag=True, help="A proxy in front of the floor speaks TLS.")
@click.option("--certificate", metavar="FILE", help="The floor speaks TLS itself: its certificate.")
@click.option("--key", metavar="FILE", help="The key of the certificate.")
@click.option("--manager", metavar="NAME", help="The first account, a gaming shift manager's.")
@click.option("--password-file", metavar="FILE", help="Its password, in the first line; default: it is asked for.")
@click.option("--second-manager", metavar="NAME", help="A second gaming shift manager, independent of the first.")
@click.option("--second-password-file", metavar="FILE", help="The second password, likewise.")
def init(
    folder: str,
    name: str | None,
    currency: str | None,
    games: str | None,
    store: str | None,
    checkpoints: str | None,
    key_file: str | None,
    host: str | None,
    port: int | None,
    certificate: str | None,
    key: str | None,
    manager: str | None,
    password_file: str | None,
    second_manager: str | None,
    second_password_file: str | None,
    *,
    proxy: bool,
    signer: bool,
) -> None:
    """Make a floor: its file, its key, its store and the first account.

    At a terminal, whatever is not given is asked for; elsewhere it takes its default.
    """
    from punto.cli import init as command

    command.make_floor(
        folder,
        command.Wanted(
            name=name,
            currency=currency,
            games=games,
            store=store,
            checkpoints=checkpoints,
            key_file=key_file,
            signer=signer,
            host=host,
            port=port,
            proxy=proxy,
            certificate=certificate,
            key=key,
            manager=manager,
            password_file=password_file,
            second_manager=second_manager,
            second_password_file=second_password_file,
        ),
    )


@app.command()
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--dump", metavar="N", help="Write so many shoes into FILE, as in 1000 or 1e6.")
@click.option("--evidence", metavar="FOLDER", help="Test the shuffle, and put the evidence into a new FOLDER.")
@click.option("--shoes", metavar="N", default="20000", show_default=True, help="With --evidence: shoes of each sample.")
@click.option("--game", default="baccarat", show_default=True, metavar="GAME", help="Whose deck.")
@DECKS
@click.option("--seed", default="none", show_default=True, metavar="none", help="The floor's shuffle has none.")
@click.option("--text", "as_text", is_flag=True, help="One shoe a line, in letters; else one byte a card.")
def shuffle(
    file: str | None,
    dump: str | None,
    evidence: str | None,
    shoes: str,
    game: str,
    decks: int,
    seed: str,
    *,
    as_text: bool,
) -> int:
    """Write shoes as the floor shuffles them, or test the shuffle.

    --dump N FILE writes raw shoes for a laboratory's own tests. --evidence FOLDER tests the shuffle at 99 % confidence
    (docs/evidence.md); the exit status is 1 if anything is wrong.
    """
    from punto.cli.files import game_named

    if seed != "none":
        raise BadUsage(f"--seed: {quoted(seed)}: the floor's shuffle takes no seed: expected none")
    if (dump is None) is (evidence is None):
        raise BadUsage("shuffle: expected either --dump N FILE or --evidence FOLDER")
    if evidence is not None:
        from punto.cli.evidence import gather

        if file is not None or as_text:
            raise BadUsage("--evidence: writes into its own folder: expected neither FILE nor --text")
        return gather(evidence, number_of("shoes", shoes), game_named(game, "--game").deck, decks)
    from punto.cli import shuffle as command

    if was_given("shoes"):
        raise BadUsage("--shoes: is for --evidence: expected --dump N")
    if file is None or dump is None:
        raise BadUsage("--dump: expected a FILE too, or - for standard output")
    command.dump(file, number_of("dump", dump), game_named(game, "--game").deck, decks, as_text=as_text)
    return 0


@app.command()
@click.option("--seeds", type=Whole("seeds", "a whole number"), default=100, show_default=True, help="How many seeds.")
@click.option(
    "--from", "first", type=Whole("from", "a whole number"), default=0, show_default=True, help="The first seed."
)
@click.option("--seed", type=Whole("seed", "a whole number"), help="This seed only.")
@click.option(
    "--steps", type=Whole("steps", "a whole number"), default=300, show_default=True, help="How long each run lasts."
)
@click.option(
    "--plant", default="", metavar="NAME", help="A fault to plant: lost-sync, missing-fence, adopted-forgery."
)
@click.option(
    "--jobs", type=Whole("jobs", "a whole number"), default=1, show_default=True, help="Processes side by side."
)
@click.option("--trace", is_flag=True, help="Of a seed that fails, also the last 40 steps.")
def torture(seeds: int, first: int, seed: int | None, steps: int, plant: str, jobs: int, *, trace: bool) -> int:
    """Run a simulated casino under many seeds (docs/torture.md).

    Processes die, the network and the disk fail, staff make mistakes and somebody forges entries; the real floor must
    get through it. For a seed that fails, one line says what broke and how to repeat it, and the exit status is 1.
    """
    if seed is not None and (was_given("seeds") or was_given("first")):
        raise BadUsage("--seed: expected either one seed, or --seeds and --from")
    if first < 0 or (seed is not None and seed < 0):
        raise BadUsage("--from and --seed: expected a seed of 0 or more")
    from punto.cli import torture as command

    chosen = range(first, first + seeds) if seed is None else (seed,)
    return command.run(chosen, len(chosen), steps, plant, jobs, trace=trace)


for each in (*keys.COMMANDS, *laboratory.COMMANDS):
    app.add_command(each)
