"""What is said of a clock that cannot be right, or need not be."""

from punto.server.wire.tells import Text

_HOUR_S = 3_600
_MINUTE_S = 60


def has_jumped(seconds: int) -> Text:
    """The machine's clock has jumped while the floor was open; which of its times is right, nobody here knows."""
    english, chinese = lasting(seconds)
    to, zh = ("forward", "快") if seconds > 0 else ("back", "慢")
    return Text(
        f"This machine's clock has jumped {to} by {english}: unless it is set right, the floor follows it within ten "
        "minutes. Deadlines are not affected",
        f"本机时钟突然拨{zh}了{chinese}：若不改正，系统将在十分钟内随之调整。时限不受影响",
    )


def is_behind_record(seconds: int) -> Text:
    """The record has later times than the clock."""
    english, chinese = lasting(seconds)
    return Text(
        f"The record is {english} ahead of this machine's clock: it was written under a clock that was ahead, or this "
        "clock is behind. Times at tables stand still meanwhile. Deadlines are not affected",
        f"记录比本机时钟快{chinese}：写入时的时钟偏快，或本机时钟偏慢。其间各桌记录的时间停住。时限不受影响",
    )


def ends_long_ago(seconds: int) -> Text:
    """The tables' last entries are older than a night, by a clock that was only just read."""
    english, chinese = lasting(seconds)
    return Text(
        f"By this machine's clock the last entry at the tables is {english} old: check the date. An hour after the "
        "start, the gaming day that is over is sealed",
        f"按本机时钟，各桌最后一条记录已有{chinese}：请核对日期。启动一小时后，将封存已结束的营业日",
    )


def lasting(seconds: int) -> tuple[str, str]:
    """So long, as people say it.

    >>> lasting(86_400), lasting(-95), lasting(600)
    (('24 h', '24小时'), ('95 s', '95秒'), ('10 min', '10分钟'))
    """
    seconds = abs(seconds)
    if seconds >= 2 * _HOUR_S:
        return f"{round(seconds / _HOUR_S)} h", f"{round(seconds / _HOUR_S)}小时"
    if seconds >= 2 * _MINUTE_S:
        return f"{round(seconds / _MINUTE_S)} min", f"{round(seconds / _MINUTE_S)}分钟"
    return f"{seconds} s", f"{seconds}秒"
