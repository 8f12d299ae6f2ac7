"""`punto key` and `punto signer`: the floor's key as a person keeps it. What they need is imported when they run."""

import click

from punto.cli.options import Whole

KEY_FILE = click.argument("file", metavar="FILE")


@click.group()
def key() -> None:
    """Look at a floor's key, split it, or rotate it."""


@key.command()
@KEY_FILE
def public(file: str) -> None:
    """Print the public key, for auditors."""
    from punto.cli import keeping as command

    command.show_public(file)


@key.command()
@KEY_FILE
@click.option("--signing", metavar="FILE", required=True, help="Where the key goes that signs: the signer's.")
@click.option("--sealing", metavar="FILE", required=True, help="Where the key goes that seals shoes: the floor's.")
def split(file: str, signing: str, sealing: str) -> None:
    """Split a key in two, for a floor with a signer.

    The floor has the same public key as before. FILE itself stays as it is: put it away.
    """
    from punto.cli import keeping as command

    command.run_split(file, signing, sealing)


@key.command()
@click.argument("floor", metavar="FLOOR.toml")
@click.option("--new-key", metavar="FILE", required=True, help="Where the new key goes.")
@click.option("--key", metavar="FILE", help="The old signing key, where the floor has a signer.")
@click.option("--by", metavar="NAME", required=True, help="Who rotates it.")
def rotate(floor: str, new_key: str, key: str | None, by: str) -> None:
    """Put a new key in the place of a floor's key.

    The rotation is on record, signed with both keys. Old heads stay valid; a floor that is open must be started again
    with the new key. A signer must be stopped first.
    """
    from punto.cli import keeping as command

    command.run_rotate(floor, new_key, key, by)


@click.command()
@click.option("--key-file", metavar="FILE", help="The signing key.")
@click.option("--key-env", metavar="NAME", help="The variable of the environment that holds the signing key.")
@click.option("--socket", metavar="PATH", required=True, help="The unix socket to answer on.")
@click.option("--state", metavar="FILE", help="Where to keep what was signed last; default: beside the key file.")
@click.option("--uid", type=Whole("uid", "a user's number"), help="The user whose floor may ask, besides this one.")
def signer(key_file: str | None, key_env: str | None, socket: str, state: str | None, uid: int | None) -> None:
    """Hold a floor's signing key, and answer its floor on a unix socket.

    It certifies writers, a few a minute, and signs checkpoints of a log that only grows. It signs nothing else.
    """
    from punto.cli import signing as command

    command.run_signer(key_file, key_env, socket, state, uid)


COMMANDS = (key, signer)
