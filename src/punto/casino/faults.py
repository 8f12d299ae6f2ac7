"""Faults of the simulated machine, as the process that meets them sees them."""


class Died(BaseException):
    """The process is no more. Nothing may catch it: whatever ran is over in the middle of what it did."""
