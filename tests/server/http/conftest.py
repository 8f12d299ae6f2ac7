from tests.server.identity.lobby import _cheap_hashes

__all__ = ["_cheap_hashes"]
