"""The one tree of errors.

    PuntoError
    ├── Refusal            the rules say no (409)
    │   ├── BadStake           no multiple of the unit, or outside the limits
    │   ├── Unaffordable       more than the credits
    │   ├── IdInUse            the id of another command
    │   ├── StaleId            the id of a command that was refused in an earlier round
    │   ├── OutOfTurn          not in this phase of the round
    │   ├── BetsAreClosed      too late for a wager
    │   ├── RoundOver          a wager that was meant for an earlier round
    │   ├── AreaIsFull         no room for another wager
    │   ├── NoSuchWager        no wager of that number, or not this patron's
    │   ├── TerminalIsDown     a terminal that has failed, and is not back
    │   ├── NoSuchPosition     a position that the layout does not have
    │   ├── DecisionPending    somebody must decide or answer first
    │   ├── NothingPending     nobody waits for such an answer
    │   ├── TooHeavy           the table differential is exceeded
    │   ├── ShoeIsSpent        the cards must be replaced first
    │   ├── NoCardDue          the next card cannot come now
    │   ├── ImpossibleCard     a card that the shoe cannot hold any more
    │   ├── BadReport          what was found does not agree with what the table has seen
    │   ├── BadCount           a count of cards that cannot be right
    │   ├── NotInHand          cards that somebody else handles, or nobody
    │   ├── BadSetup           a table that cannot be opened so
    │   ├── NotSeated          somebody who has not sat down
    │   ├── TableIsFull        no seat is free
    │   ├── BadTicket          a ticket that does not exist, or was redeemed before
    │   ├── NameTaken          somebody else has the name
    │   ├── UnknownPatron      nobody whom the floor knows: no terminal, no wallet, not registered
    │   ├── NotAtRound         a claim about a round at which the patron did not play
    │   ├── ClaimTooLate       a claim about a round that is too old
    │   ├── ClaimExists        a second claim of a patron about one round
    │   ├── TooManyClaims      more open claims than one patron, or the floor, may have
    │   ├── ClaimClosed        a claim that was answered or withdrawn before
    │   ├── NoSuchCorrection   an answer that names a correction which is none of that patron's
    │   ├── ClosedToPlay       the house has closed this terminal to play: what a patron is told
    │   ├── ExcludedPatron     the house lets this patron play no more: what staff are told
    │   ├── NothingToReport    no sum of cash that a report could be filed of, or another one by now
    │   ├── NotExcluded        there is no such exclusion that staff could lift
    │   ├── BadCode            a code of enrolment that is none, was used, or came too late
    │   ├── TooFast            more messages than a person sends
    │   ├── ProveAgain         whoever is signed in must first show again who they are (401)
    │   ├── TooManyPages       more open pages than one visitor may have (429)
    │   ├── NoDealer           a device reads cards at a table that no dealer has taken
    │   ├── ShoeInPlay         a shoe that is not open to anybody yet
    │   ├── AuditUnderWay      one audit at a time
    │   ├── NotWitnessed       a witness does not cosign a checkpoint
    │   ├── NotSigned          the signer of the floor's key refuses to sign something
    │   ├── TooMuchWork        work that took longer, or more memory, than one visitor may have
    │   ├── WorkFailed         a worker died; nothing was changed
    │   └── FloorIsClosing     the floor takes on nothing more
    ├── NotAllowed         the position does not carry it (403)
    │   ├── NeedsSecond        an act that takes two people, and one has come
    │   ├── NotIndependent     the second person's account is in the hands of the first, or the other way round
    │   ├── OwnAct             staff who would judge a round in which they acted themselves
    │   ├── NotOnOwnDevice     one of two people has not enrolled on a device of their own yet
    │   ├── NotSignedIn        nobody is known to ask (401)
    │   ├── WrongPassword      the name and the password do not belong together (401)
    │   │   └── PasswordExpired    a password that another has set, and that nobody has changed in time (401)
    │   ├── WrongProof         a passkey or a one-time code that does not let this person in (401)
    │   └── SecondNeeded       the password is right, and does not suffice (401)
    ├── Malformed          it cannot be read, or cannot be (400)
    │   ├── BadUsage           the command line itself
    │   ├── UnknownGame
    │   ├── UnknownWager
    │   ├── UnreadableFile     missing, forbidden, binary
    │   ├── LongLine           longer than anything that could be meant
    │   ├── BadDecks           not four to ten
    │   ├── BadShoe            cards or cutting card that make no shoe
    │   ├── BadContribution    a contribution to a shoe's order that is none, or not the one committed to
    │   ├── UnknownCard
    │   ├── ForeignCard        a card of the other deck
    │   ├── NoCards
    │   ├── SurplusCard        more cards than the coup needs
    │   ├── TooManyCopies      more of one card than the decks hold
    │   ├── BadComposition     cards left that no shoe can have
    │   ├── TooFewCards        fewer cards than a coup may need
    │   ├── BadCut             a cutting card where none can lie
    │   ├── BadRounds          a number of rounds that cannot be dealt
    │   ├── BadStakes          a way of staking that does not read
    │   ├── BadMix             stakes on wagers that make no mix
    │   ├── BadTally           the file of a simulation that does not read, or belongs to another
    │   ├── UnwritableFile     a folder that is not there, or a kind of file that is not made
    │   ├── MissingPart        something that this installation does not have
    │   ├── ClusterGone        a cluster that cannot be reached, or has gone away
    │   ├── BadOutcome         a letter that is no outcome
    │   ├── BadCondition       the text of a condition
    │   ├── BadDeclaration     the TOML form of a game
    │   ├── BadStore           an address that names no store
    │   ├── BadCommand         a command of no known kind, or with fields that do not fit
    │   ├── BadScenario        a line of a scenario that does not read
    │   ├── BadShoeFile        a line of a shoe's text that does not read
    │   ├── BadPassword        a new password that is easily guessed
    │   ├── NoSuchAccount      nobody of that name is on the staff (404)
    │   ├── NoSuchSession      a session that is not there, or is over (404)
    │   ├── NoSuchTerminal     a terminal that is not enrolled (404)
    │   ├── NoSuchClaim        a claim that nobody has raised (404)
    │   ├── NoSuchPerson       nobody of that name, and nothing kept about one (404)
    │   ├── NoSuchTable        a table that the store does not know
    │   ├── NoSuchRound        a round that the table has not had
    │   ├── NoSuchCheckpoint   a checkpoint that was never taken (404)
    │   ├── NoSuchReceipt      nothing on record that a receipt could be taken of (404)
    │   ├── BadReceipt         a receipt that does not read, or that was not signed as it says
    │   ├── BadNote            a signed note, a checkpoint or a verifier key that does not read
    │   └── BadSignature       a note that no known key has signed, or with a false signature
    ├── Conflict           somebody was first: try again (409)
    │   ├── StaleVersion       the stream has moved on
    │   ├── KnownCommand       the id of a command is already there
    │   ├── Fenced             somebody else owns the table now
    │   ├── NotWritten         it was in doubt, and turned out not to be written
    │   ├── RotationUnfinished   the floor has its new key, and something after that has failed
    │   ├── StoreLocked        another process is writing
    │   ├── StoreGone          the store does not answer, or takes no more
    │   │   └── OutcomeUnknown     it may have been written, and the answer was lost
    │   ├── OutsideGone        an address that keeps checkpoints gives no answer that reads
    │   ├── WitnessGone        a witness gives no answer that reads
    │   └── SignerGone         the signer of the floor's key gives no answer
    └── Corrupt            what is stored is not what was written: stop (503)
        ├── BrokenChain        an entry that does not follow from the one before
        ├── NotAStore          a file or database that holds something else, or only part of a store
        ├── AlteredSchema      somebody has changed what a store declares: its tables, indexes, triggers
        ├── NewerSchema        written by a later version of Punto
        ├── OlderRecord        written before heads had writers: to be migrated first
        ├── StreamStopped      a stream that holds something nobody has signed
        ├── NoCheckpoint       nothing is kept outside, although it was
        ├── NoTail             nothing outside says where acknowledged play ended
        ├── StoreRewritten     a store that is older than, or differs from, what was seen of it before
        ├── DamagedPersonal    what is kept about a person is not what was written, or is another person's
        └── WrongKey           sealed or signed with another key
            └── KeyRotated         the floor has another key now

Every error has a stable `code`, a message of one line, and `at`: the place of the fault, counted from 1, in the unit
that the message names (card, argument, letter, character, line); 1 where the whole input is at fault.
"""

from typing import ClassVar, Self


def quoted(token: str, longest: int = 20) -> str:
    """A token fit for one line of a message: escaped, and cut where it is long.

    >>> quoted("a" * 21)
    "'aaaaaaaaaaaaaaaaaaa…'"
    """
    return repr(token if len(token) <= longest else token[: longest - 1] + "…")


def named(name: str, longest: int = 100) -> str:
    r"""The name of a stream as a message says it: as it is, or quoted where only a forger can have named it so.

    >>> named("wallet/guest 4821"), named("table/1\x1b[2J"), named("table/1: all is well")
    ('wallet/guest 4821', "'table/1\\x1b[2J'", "'table/1: all is well'")
    """
    plain = 0 < len(name) <= longest and name.isprintable() and name == name.strip() and ": " not in name
    return name if plain else quoted(name, longest)


class PuntoError(Exception):
    """Anything that Punto says no to."""

    code: ClassVar[str] = "error"
    # Whether the same was said before, to the same command.
    is_repeated = False

    def __init__(self, message: str, at: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.at)

    def anew(self) -> Self:
        """The same error without a traceback.

        Each time an error is raised, its traceback grows. So whoever keeps an error and raises it again and again
        would also keep every call that has met it, and all that those calls had in hand.
        """
        other = type(self).__new__(type(self), *self.args)
        other.__dict__.update(self.__dict__)
        return other


class Refusal(PuntoError):
    """The rules say no."""

    code = "refused"


class BadStake(Refusal):
    """A stake that is no multiple of the unit, or outside the limits."""

    code = "bad-stake"


class Unaffordable(Refusal):
    """The stakes would be more than the credits."""

    code = "unaffordable"


class IdInUse(Refusal):
    """The id belongs to another command: of somebody else, at another table, or one that asks for something else."""

    code = "id-in-use"


class StaleId(Refusal):
    """The id belongs to a command that was refused in an earlier round."""

    code = "stale-id"


class OutOfTurn(Refusal):
    """Not in this phase of the round."""

    code = "out-of-turn"


class BetsAreClosed(Refusal):
    """A wager came, changed or went after the close."""

    code = "bets-are-closed"


class RoundOver(Refusal):
    """A wager that was meant for another round than this one."""

    code = "round-over"


class AreaIsFull(Refusal):
    """The playing area or terminal has no room for another wager."""

    code = "area-is-full"


class NoSuchWager(Refusal):
    """No wager of that number lies on the table, or it is another patron's."""

    code = "no-such-wager"


class TerminalIsDown(Refusal):
    """The terminal has failed, and places and withdraws nothing until it is back."""

    code = "terminal-is-down"


class NoSuchPosition(Refusal):
    """A position that the layout does not have."""

    code = "no-such-position"


class DecisionPending(Refusal):
    """Somebody must decide or answer before the round goes on."""

    code = "decision-pending"


class NothingPending(Refusal):
    """Nobody waits for such a decision or answer."""

    code = "nothing-pending"


class TooHeavy(Refusal):
    """The table differential is exceeded."""

    code = "too-heavy"


class ShoeIsSpent(Refusal):
    """The cards must be replaced before the next round."""

    code = "shoe-is-spent"


class NoCardDue(Refusal):
    """The next card cannot come now."""

    code = "no-card-due"


class ImpossibleCard(Refusal):
    """A card that the shoe cannot hold any more."""

    code = "impossible-card"


class BadReport(Refusal):
    """What was found does not agree with what the table has seen."""

    code = "bad-report"


class BadCount(Refusal):
    """A count of cards that cannot be right."""

    code = "bad-count"


class NotInHand(Refusal):
    """Cards or a device that somebody else handles, or nobody."""

    code = "not-in-hand"


class BadSetup(Refusal):
    """A table that cannot be opened with this setup."""

    code = "bad-setup"


class NotSeated(Refusal):
    """Somebody acts at a table without having sat down there."""

    code = "not-seated"


class TableIsFull(Refusal):
    """No seat is free."""

    code = "table-is-full"


class BadTicket(Refusal):
    """A ticket that does not exist, or was redeemed before."""

    code = "bad-ticket"


class NameTaken(Refusal):
    """Somebody else has the name, or it is kept for the house."""

    code = "name-taken"


class UnknownPatron(Refusal):
    """Cash is to move for somebody whom the floor does not know."""

    code = "unknown-patron"


class NotAtRound(Refusal):
    """A claim about a round at which the patron did not play, by all that is on record."""

    code = "not-at-round"


class ClaimTooLate(Refusal):
    """A claim about a round that is older than the floor's file allows."""

    code = "claim-too-late"


class ClaimExists(Refusal):
    """The patron has raised a claim about this round before."""

    code = "claim-exists"


class TooManyClaims(Refusal):
    """More claims wait for an answer than one patron, or the whole floor, may have."""

    code = "too-many-claims"


class ClaimClosed(Refusal):
    """The claim was answered before, or the patron has withdrawn it."""

    code = "claim-closed"


class NoSuchCorrection(Refusal):
    """An answer names a correction that is not there, or is none of that patron's since the claim was raised."""

    code = "no-such-correction"


class ClosedToPlay(Refusal):
    """The house lets this patron play no more; why, the staff say."""

    code = "closed-to-play"


class ExcludedPatron(Refusal):
    """Staff ask for play, or for cash to play with, of a patron whom the house has excluded."""

    code = "excluded-patron"


class NothingToReport(Refusal):
    """A report of cash is to be filed of what has not reached the threshold, or has come to more meanwhile."""

    code = "nothing-to-report"


class NotExcluded(Refusal):
    """An exclusion that is not there, or that a floor's file says and only that takes back."""

    code = "not-excluded"


class BadCode(Refusal):
    """A code of enrolment that is none, was used before, or came too late."""

    code = "bad-code"


class TooFast(Refusal):
    """More messages than a person sends."""

    code = "too-fast"


class ProveAgain(Refusal):
    """Whoever is signed in must show again who they are before this is done."""

    code = "prove-again"


class TooManyPages(Refusal):
    """One visitor has as many pages open as the floor allows."""

    code = "too-many-pages"


class NoDealer(Refusal):
    """A device reads cards at a table that no dealer has taken."""

    code = "no-dealer"


class ShoeInPlay(Refusal):
    """A shoe that is in play is open to nobody."""

    code = "shoe-in-play"


class AuditUnderWay(Refusal):
    """An audit is under way already."""

    code = "audit-under-way"


class NotWitnessed(Refusal):
    """A witness does not cosign a checkpoint; *status* is what it answered with."""

    code = "not-witnessed"

    def __init__(self, message: str, at: int = 1, status: int = 0) -> None:
        super().__init__(message, at)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.at, self.status)


class NotSigned(Refusal):
    """The signer of the floor's key refuses to sign something."""

    code = "not-signed"


class TooMuchWork(Refusal):
    """Work that took longer, or more memory, than one visitor may have."""

    code = "too-much-work"


class WorkFailed(Refusal):
    """A worker died; nothing was changed."""

    code = "work-failed"


class FloorIsClosing(Refusal):
    """The floor is closing, and takes on nothing more; nothing was changed."""

    code = "closing"


class NotAllowed(PuntoError):
    """The position held does not carry this act; *on_record* once the security log has it."""

    code = "not-allowed"
    on_record = False


class NeedsSecond(NotAllowed):
    """An act that takes two people, and only one stands for it."""

    code = "needs-second"


class NotIndependent(NotAllowed):
    """One of two people has opened or changed the account of the other not long ago, alone or through others."""

    code = "not-independent"


class OwnAct(NotAllowed):
    """Somebody on the staff would judge a round in which they acted themselves."""

    code = "own-act"


class NotOnOwnDevice(NotAllowed):
    """An account of one of two people is still in the hands of whoever opened it, or gave it a password."""

    code = "not-on-own-device"


class NotSignedIn(NotAllowed):
    """Nobody is known to ask: the session is over, or never was."""

    code = "not-signed-in"


class WrongPassword(NotAllowed):
    """The name and the password do not belong together."""

    code = "wrong-password"


class PasswordExpired(WrongPassword):
    """Another has set this password, and it was not changed in time: a manager sets a new one."""

    code = "password-expired"


class WrongProof(NotAllowed):
    """A passkey or a one-time code does not let this person in: it is another's, was used before, or came too late."""

    code = "wrong-proof"


class SecondNeeded(NotAllowed):
    """The password is right, and does not suffice: a passkey or a one-time code is needed besides."""

    code = "second-needed"


class Malformed(PuntoError):
    """The input cannot be read, or cannot be."""

    code = "malformed"


class Conflict(PuntoError):
    """Somebody was first: read again and try again."""

    code = "conflict"


class Corrupt(PuntoError):
    """What is stored is not what was written."""

    code = "corrupt"


class BadUsage(Malformed):
    """The command line itself is off."""

    code = "bad-usage"


class UnknownGame(Malformed):
    """No game has this key."""

    code = "unknown-game"


class UnknownWager(Malformed):
    """The game has no wager of this name."""

    code = "unknown-wager"


class UnreadableFile(Malformed):
    """A file that is missing, forbidden or not text."""

    code = "unreadable-file"


class LongLine(Malformed):
    """A line longer than anything that could be meant."""

    code = "long-line"


class BadDecks(Malformed):
    """A number of decks that no rulebook allows."""

    code = "bad-decks"


class BadShoe(Malformed):
    """Cards, or a place of the cutting card, that make no shoe."""

    code = "bad-shoe"


class BadContribution(Malformed):
    """A contribution to a shoe's order that is none, or not the one committed to."""

    code = "bad-contribution"


class UnknownCard(Malformed):
    """A word that is no card of any deck."""

    code = "unknown-card"


class ForeignCard(Malformed):
    """A card that the game's deck does not hold."""

    code = "foreign-card"


class NoCards(Malformed):
    """Cards were expected, and there are none."""

    code = "no-cards"


class SurplusCard(Malformed):
    """A card after the last one that the coup needs."""

    code = "surplus-card"


class TooManyCopies(Malformed):
    """More of one card than the decks hold."""

    code = "too-many-copies"


class BadComposition(Malformed):
    """Cards left that no shoe can have."""

    code = "bad-composition"


class TooFewCards(Malformed):
    """Fewer cards are left than a coup may need."""

    code = "too-few-cards"


class BadCut(Malformed):
    """A cutting card where none can lie."""

    code = "bad-cut"


class BadRounds(Malformed):
    """A number of rounds that cannot be dealt."""

    code = "bad-rounds"


class BadStakes(Malformed):
    """A way of staking does not read."""

    code = "bad-stakes"


class BadMix(Malformed):
    """Stakes on wagers that make no mix."""

    code = "bad-mix"


class BadTally(Malformed):
    """The file of a simulation does not read, or belongs to another."""

    code = "bad-tally"


class UnwritableFile(Malformed):
    """A file cannot be written where, or as what, it was asked for."""

    code = "unwritable-file"


class MissingPart(Malformed):
    """Something that this installation of Punto does not have."""

    code = "missing-part"


class ClusterGone(Malformed):
    """A cluster cannot be reached, or has gone away."""

    code = "cluster-gone"


class BadOutcome(Malformed):
    """A letter that is no outcome."""

    code = "bad-outcome"


class BadCondition(Malformed):
    """The text of a condition does not read; `at` is the character."""

    code = "bad-condition"


class BadDeclaration(Malformed):
    """The declaration of a game does not read; `at` is the line."""

    code = "bad-declaration"

    def __init__(self, message: str, at: int = 1, column: int = 1) -> None:
        super().__init__(message, at)
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.at, self.column)


class BadStore(Malformed):
    """An address that names no store."""

    code = "bad-store"


class StaleVersion(Conflict):
    """The stream does not end where the writer thought; *stream* is its name."""

    code = "stale-version"

    def __init__(self, message: str, at: int = 1, stream: str = "") -> None:
        super().__init__(message, at)
        self.stream = stream


class KnownCommand(Conflict):
    """The id of a command is already in the store."""

    code = "known-command"


class Fenced(Conflict):
    """The name has a new owner, and this writer is no longer heard; *name* is what was lost."""

    code = "fenced"

    def __init__(self, message: str, at: int = 1, name: str = "") -> None:
        super().__init__(message, at)
        self.name = name


class NotWritten(Conflict):
    """It was not known whether it was written, and it was not: nothing was done."""

    code = "not-written"


class RotationUnfinished(Conflict):
    """The rotation of a floor's key is on record, and what comes after it has failed: the same command finishes it."""

    code = "rotation-unfinished"


class StoreLocked(Conflict):
    """Another process holds the store; nothing was written."""

    code = "store-locked"


class StoreGone(Conflict):
    """The store does not answer, or takes no more; what was acknowledged is there."""

    code = "store-gone"


class OutsideGone(Conflict):
    """An address that keeps checkpoints gives no answer that reads."""

    code = "outside-gone"


class WitnessGone(Conflict):
    """A witness does not answer in time, or with nothing that reads; the checkpoint stands without it."""

    code = "witness-gone"


class SignerGone(Conflict):
    """The signer of the floor's key does not answer; nothing was signed."""

    code = "signer-gone"


class OutcomeUnknown(StoreGone):
    """The store may have written it, and its answer was lost: whoever asks again under the same id is told."""

    code = "unknown"


class BrokenChain(Corrupt):
    """An entry does not follow from the one before; `at` is its version."""

    code = "broken-chain"


class NotAStore(Corrupt):
    """What was opened is no store of Punto's, or only part of one."""

    code = "not-a-store"


class AlteredSchema(Corrupt):
    """The tables of the store, or what belongs to them, are not declared as those of a store are."""

    code = "altered-schema"


class NewerSchema(Corrupt):
    """The store was written by a later version of Punto."""

    code = "newer-schema"


class OlderRecord(Corrupt):
    """The store was signed by an older Punto, and must be migrated before a floor opens it."""

    code = "older-record"


class StreamStopped(Corrupt):
    """The stream holds something that nobody has signed, or lacks something that was; `at` is the first such entry."""

    code = "stream-stopped"


class NoCheckpoint(Corrupt):
    """No checkpoint of the floor is found outside, although some were taken."""

    code = "no-checkpoint"


class NoTail(Corrupt):
    """A tail outside is gone or cannot be read, and nothing else says where acknowledged play ended."""

    code = "no-tail"


class StoreRewritten(Corrupt):
    """The store is older than what was seen of it before, or tells another history."""

    code = "store-rewritten"


class DamagedPersonal(Corrupt):
    """What is kept about a person is not what was written: it was altered, or is another person's."""

    code = "damaged-personal"


class WrongKey(Corrupt):
    """Sealed or signed with another key than the floor's."""

    code = "wrong-key"


class KeyRotated(WrongKey):
    """The floor has another key now, *new* where it is known: whoever holds the former one writes no more."""

    code = "key-rotated"

    def __init__(self, message: str, at: int = 1, new: str = "") -> None:
        super().__init__(message, at)
        self.new = new

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.at, self.new)


class BadCommand(Malformed):
    """A command of no known kind, or with fields that do not fit."""

    code = "bad-command"


class BadScenario(Malformed):
    """A scenario does not read; `at` is the line."""

    code = "bad-scenario"


class BadPassword(Malformed):
    """A new password that is easily guessed."""

    code = "bad-password"


class NoSuchAccount(Malformed):
    """Nobody of that name is on the staff."""

    code = "no-such-account"


class NoSuchSession(Malformed):
    """A session that is not there, or is over."""

    code = "no-such-session"


class NoSuchTerminal(Malformed):
    """A terminal that is not enrolled."""

    code = "no-such-terminal"


class NoSuchClaim(Malformed):
    """A claim that nobody has raised, or that was closed long ago."""

    code = "no-such-claim"


class NoSuchPerson(Malformed):
    """Nobody here is called so, and nothing is kept about anybody of that name."""

    code = "no-such-person"


class NoSuchTable(Malformed):
    """A table that the store does not know."""

    code = "no-such-table"


class NoSuchRound(Malformed):
    """A round that the table has not had."""

    code = "no-such-round"


class BadShoeFile(Malformed):
    """The text of a shoe does not read; `at` is the line."""

    code = "bad-shoe-file"


class NoSuchCheckpoint(Malformed):
    """A checkpoint that was never taken."""

    code = "no-such-checkpoint"


class NoSuchReceipt(Malformed):
    """Nothing on record that a receipt could be taken of."""

    code = "no-such-receipt"


class BadReceipt(Malformed):
    """A receipt that does not read, or that was not signed as it says."""

    code = "bad-receipt"


class BadNote(Malformed):
    """A signed note, a checkpoint or a verifier key does not read; `at` is the line."""

    code = "bad-note"


class BadSignature(Malformed):
    """No known key has signed the note, or a signature of a known key does not verify."""

    code = "bad-signature"
